#!/usr/bin/env node
import { runRoutebook } from './main.ts';

process.exitCode = await runRoutebook(process.argv.slice(2));
