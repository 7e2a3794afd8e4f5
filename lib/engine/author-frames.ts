/** The lines of a stack: `at read (/app/notes.js:3:9)`. */
export function framesOf({ stack = '' }: Error): readonly string[] {
  return (stack.match(/^ +at .*$/gm) ?? []).map((frame) => frame.trim());
}

const FOLDERS = ['lib', 'registry', 'adapters'] as const;

/** The directories of this package, by the path of this file as stacks show it. Some runtimes show none; then no frame is known as its own. */
function findOwnPlaces(): readonly string[] {
  const [here = ''] = framesOf(new Error('here'));
  const start = here.search(/file:\/\/|\/|[A-Za-z]:\\/);
  const end = Math.max(
    ...FOLDERS.flatMap((folder) => [here.lastIndexOf(`/${folder}/`), here.lastIndexOf(`\\${folder}\\`)]),
  );
  return start === -1 || end < start ? [] : FOLDERS.map((folder) => here.slice(start, end + 1) + folder);
}

const OWN = findOwnPlaces();

const isOwn = (frame: string): boolean =>
  OWN.some((place) => frame.includes(`${place}/`) || frame.includes(`${place}\\`));
/** Whether the frame names a file that is not a part of Node. */
const isInFile = (frame: string): boolean => /(?:file:\/\/|[(\s]\/|[A-Za-z]:\\)/.test(frame);

/**
 * The frames of an error that an author can act on. Those by which the engine came to a handler say nothing, so they are left out,
 * and what is below the last of the author's. The frames of an error that this package itself has thrown all stay.
 */
export function authorFrames(error: Error): readonly string[] {
  const frames = framesOf(error);
  const thrown = frames.find(isInFile);
  if (thrown === undefined || isOwn(thrown)) return frames;
  const last = frames.findLastIndex((frame) => isInFile(frame) && !isOwn(frame));
  return frames.slice(0, last + 1).filter((frame) => !isOwn(frame));
}
