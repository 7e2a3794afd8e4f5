import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ROUTEBOOK } from '../../support/routebook.ts';

const WORDS =
  'harbour lantern tide ferry quay mast anchor gull storm pilot chart rope deck bell fog pier light wreck salt sail'.split(
    ' ',
  );

/** A text of about this many characters that is not the same in two posts. */
export function toText(seed: number, length: number): string {
  const words: string[] = [];
  for (let [at, size] = [seed, 0]; size < length; at = (at * 1_103_515_245 + 12_345) % 2_147_483_648) {
    const word = WORDS[at % WORDS.length] ?? '';
    words.push(word);
    size += word.length + 1;
  }
  return `<!-- wp:paragraph -->\n<p>${words.join(' ')}</p>\n<!-- /wp:paragraph -->`;
}

/** Runs a command, and resolves with its largest memory in MiB and its time in seconds. */
export async function measure(
  args: readonly string[],
): Promise<{ readonly peak: number; readonly seconds: number }> {
  const started = performance.now();
  const code = `import { runRoutebook } from ${JSON.stringify(ROUTEBOOK.replace(/bin\.js$/, 'main.js'))}; process.exitCode = await runRoutebook(process.argv.slice(1)); process.stderr.write('\\npeak ' + process.resourceUsage().maxRSS + '\\n');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, '--', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let peak = 0;
  for await (const line of createInterface({ input: child.stderr })) {
    const [, kilobytes] = /^peak (\d+)$/.exec(line) ?? [];
    if (kilobytes !== undefined) peak = Number(kilobytes) / 1024;
    else if (line !== '' && !line.startsWith('info')) console.error(line);
  }
  return { peak: Math.round(peak), seconds: (performance.now() - started) / 1000 };
}
