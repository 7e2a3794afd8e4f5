/** One instruction: its word in capitals, and the rest of its lines as one text. */
export interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** A stage of a build. `name`: '' if it has none. */
export interface Stage {
  readonly from: string;
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

function toInstruction(line: string): Instruction {
  const [, word = '', rest = ''] = /^(\S+)\s+(.*)$/s.exec(line) ?? [];
  return { word: word.toUpperCase(), rest };
}

/** The stages of a Dockerfile. Comments are left out, and lines that end with a backslash go on in the next. */
export function readDockerfile(text: string): readonly Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const stages: { from: string; name: string; instructions: Instruction[] }[] = [];
  for (const { word, rest } of lines.map(toInstruction)) {
    const [from = '', , name = ''] = rest.split(/\s+/);
    if (word === 'FROM') stages.push({ from, name, instructions: [] });
    else stages.at(-1)?.instructions.push({ word, rest });
  }
  return stages;
}
