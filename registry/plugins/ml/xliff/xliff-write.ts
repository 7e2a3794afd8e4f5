import { createHmac, timingSafeEqual } from 'node:crypto';
import { escapeXml, toCdata } from '../../../plugin.ts';

/** Versions that can be written. Every 1.x and 2.x version can be read. */
export const XLIFF_VERSIONS = ['1.2', '2.0', '2.1'] as const;
export type XliffVersion = (typeof XLIFF_VERSIONS)[number];

/** States by progress. `initial`: not reviewed yet; `final`: finished. */
export const XLIFF_STATES = ['initial', 'translated', 'reviewed', 'final'] as const;
/** State of a translation in XLIFF 1.2. */
export type XliffState = (typeof XLIFF_STATES)[number];

/** One text. `id`: an NMTOKEN. `target`: '' when there is none. `memory`: the target comes from the translation memory, for this text or an older version of it. */
export interface XliffUnit {
  readonly id: string;
  readonly label: string;
  readonly source: string;
  readonly target: string;
  readonly state: XliffState;
  readonly memory?: 'current' | 'outdated' | undefined;
  /** A similar text of the translation memory. */
  readonly match?: XliffMatch | undefined;
  /** Terms of the text, with their translations. */
  readonly terms?: readonly XliffTerm[] | undefined;
}

/** A similar text with its translation. `quality`: percent. */
interface XliffMatch {
  readonly source: string;
  readonly text: string;
  readonly quality: number;
}

/** A term as the source writes it. `translation`: null if the term must not be translated. `note`: for translators; '' if there is none. */
interface XliffTerm {
  readonly term: string;
  readonly translation: string | null;
  readonly note: string;
}

/** `original`: the identity of the export. `reference`: URL of the source text. `notes`: notes for the translator. */
export interface XliffFile {
  readonly original: string;
  readonly source: string;
  readonly target: string;
  readonly reference: string;
  readonly notes: readonly string[];
  readonly units: readonly XliffUnit[];
}

// XLIFF 1.2, appendix of states; https://docs.oasis-open.org/xliff/v1.2/os/xliff-core.html#state
const STATES_1: Readonly<Record<XliffState, string>> = {
  initial: 'new',
  translated: 'translated',
  reviewed: 'signed-off',
  final: 'final',
};
const QUALIFIERS = { current: 'tm-suggestion', outdated: 'leveraged-tm' } as const;

function toTargetAttributes(unit: XliffUnit): string {
  if (unit.memory === undefined) return ` state="${STATES_1[unit.state]}"`;
  return ` state="needs-review-translation" state-qualifier="${QUALIFIERS[unit.memory]}"`;
}

/** What a translator reads of a term. */
const toTermNote = ({ term, translation, note }: XliffTerm): string =>
  `${translation === null ? `Do not translate "${term}"` : `Translate "${term}" as "${translation}"`}${note === '' ? '.' : `: ${note}`}`;

// 1.2 has no glossary. A mark (`mrk`) would have to be inside of the source, whose content is one text.
const toNotes = ({ terms = [] }: XliffUnit): string =>
  terms
    .map((term) => `\n        <note from="glossary" annotates="source">${escapeXml(toTermNote(term))}</note>`)
    .join('');

const toAlternative = ({ match }: XliffUnit): string =>
  match === undefined
    ? ''
    : `
        <alt-trans match-quality="${match.quality}%" origin="translation memory" xml:space="preserve">
          <source>${toCdata(match.source)}</source>
          <target>${toCdata(match.text)}</target>
        </alt-trans>`;

function writeUnit1(unit: XliffUnit): string {
  const id = escapeXml(unit.id);
  return `      <trans-unit id="${id}" resname="${id}" restype="string" datatype="html" xml:space="preserve">
        <source>${toCdata(unit.source)}</source>
        <target${toTargetAttributes(unit)}>${toCdata(unit.target)}</target>
        <note>${escapeXml(unit.label)}</note>${toNotes(unit)}${toAlternative(unit)}
      </trans-unit>`;
}

function writeXliff1(file: XliffFile): string {
  const notes = file.notes.map((note) => `\n      <note>${escapeXml(note)}</note>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="${escapeXml(file.original)}" source-language="${escapeXml(file.source)}" target-language="${escapeXml(file.target)}" datatype="plaintext">
    <header>
      <reference><external-file href="${escapeXml(file.reference)}"/></reference>${notes}
    </header>
    <body>
${file.units.map(writeUnit1).join('\n')}
    </body>
  </file>
</xliff>
`;
}

// Translation Candidates module (XLIFF 2.1, 5.1).
const toMatches = ({ match }: XliffUnit): string =>
  match === undefined
    ? ''
    : `
      <mtc:matches>
        <mtc:match ref="#s1" matchQuality="${match.quality}" origin="translation memory">
          <source xml:space="preserve">${toCdata(match.source)}</source>
          <target xml:space="preserve">${toCdata(match.text)}</target>
        </mtc:match>
      </mtc:matches>`;

// Glossary module (XLIFF 2.1, 5.2).
const toGlossary = ({ terms = [] }: XliffUnit): string =>
  terms.length === 0
    ? ''
    : `
      <gls:glossary>${terms
        .map(
          ({ term, translation, note }) => `
        <gls:glossEntry ref="#s1"><gls:term>${escapeXml(term)}</gls:term><gls:translation>${escapeXml(translation ?? term)}</gls:translation>${note === '' ? '' : `<gls:definition>${escapeXml(note)}</gls:definition>`}</gls:glossEntry>`,
        )
        .join('')}
      </gls:glossary>`;

/** The module cannot say that a term must not be translated: a note does. */
const toUnitNotes = ({ terms = [] }: XliffUnit): string => {
  const notes = terms
    .filter(({ translation }) => translation === null)
    .map((term) => `<note appliesTo="source" category="glossary">${escapeXml(toTermNote(term))}</note>`);
  return notes.length === 0 ? '' : `\n      <notes>${notes.join('')}</notes>`;
};

function writeUnit2(unit: XliffUnit): string {
  const target =
    unit.target === '' ? '' : `\n        <target xml:space="preserve">${toCdata(unit.target)}</target>`;
  const state = unit.memory === undefined ? unit.state : 'initial';
  const substate = unit.memory === undefined ? '' : ` subState="ml:${QUALIFIERS[unit.memory]}"`;
  return `    <unit id="${escapeXml(unit.id)}" name="${escapeXml(unit.label)}">${toMatches(unit)}${toGlossary(unit)}${toUnitNotes(unit)}
      <segment id="s1" state="${state}"${substate}>
        <source xml:space="preserve">${toCdata(unit.source)}</source>${target}
      </segment>
    </unit>`;
}

// 2.1 keeps the namespace of 2.0 (XLIFF 2.1, 4.1).
function writeXliff2(file: XliffFile, version: XliffVersion): string {
  const notes = [...file.notes, file.reference].map((note) => `<note>${escapeXml(note)}</note>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="${version}" xmlns="urn:oasis:names:tc:xliff:document:2.0" xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0" xmlns:gls="urn:oasis:names:tc:xliff:glossary:2.0" srcLang="${escapeXml(file.source)}" trgLang="${escapeXml(file.target)}">
  <file id="f1" original="${escapeXml(file.original)}">
    <notes>${notes}</notes>
${file.units.map(writeUnit2).join('\n')}
  </file>
</xliff>
`;
}

/** The file in one of the supported versions. A reader gets the texts back unchanged, except for characters that XML does not allow. */
export function writeXliff(file: XliffFile, version: XliffVersion = '1.2'): string {
  return version === '1.2' ? writeXliff1(file) : writeXliff2(file, version);
}

/** The origin of an export. `revision`: the state of the source texts (`toRevision`). */
interface XliffOrigin {
  readonly job: number;
  readonly post: number;
  readonly revision: string;
}

const MAC_LENGTH = 32;
const ORIGINAL = /^([1-9]\d{0,14})-([0-9a-f]{16})-([0-9a-f]{32})$/;

function sign(secret: Uint8Array, { job, post, revision }: XliffOrigin): string {
  return createHmac('sha256', secret)
    .update(`xliff|${job}|${post}|${revision}`)
    .digest('hex')
    .slice(0, MAC_LENGTH);
}

/** The value of `file@original`. It proves that this site made the returned file for this job, and from which texts. */
export function toOriginal(secret: Uint8Array, origin: XliffOrigin): string {
  return `${origin.job}-${origin.revision}-${sign(secret, origin)}`;
}

/** The revision that a file of this job was made from; null for any other file. */
export function readOriginal(
  secret: Uint8Array,
  original: string,
  { job, post }: Pick<XliffOrigin, 'job' | 'post'>,
): string | null {
  const [, jobText, revision, mac] = ORIGINAL.exec(original) ?? [];
  if (revision === undefined || mac === undefined || Number(jobText) !== job) return null;
  const expected = sign(secret, { job, post, revision });
  return timingSafeEqual(Buffer.from(mac), Buffer.from(expected)) ? revision : null;
}
