import type { ErrorBody } from '../core/errors.ts';

const TYPE = 'application/problem+json';
const RANGE = /(?:^|,)\s*application\/problem\+json([^,]*)/i;

/** Whether `Accept` asks for RFC 9457 problem details by name. */
export function wantsProblem(accept: string | undefined): boolean {
  const [, parameters] = RANGE.exec(accept ?? '') ?? [];
  return parameters !== undefined && !/;\s*q=0(?:\.0*)?\s*(?:;|$)/i.test(parameters);
}

/** The error as problem details: the code and the named parameters stand beside the members of the RFC. */
export function toProblem({ code, message, data, ...beside }: ErrorBody): Readonly<Record<string, unknown>> {
  const { status, ...rest } = data;
  return { type: 'about:blank', title: code, status, detail: message, code, ...rest, ...beside };
}

export const PROBLEM_TYPE = `${TYPE}; charset=UTF-8`;
