declare module 'gettext-parser' {
  interface GettextMessage {
    msgctxt?: string;
    msgid: string;
    msgid_plural?: string;
    msgstr: string[];
  }
  interface GettextFile {
    charset: string;
    headers: Record<string, string>;
    translations: Record<string, Record<string, GettextMessage>>;
  }
  export const mo: {
    parse(bytes: Uint8Array): GettextFile;
    compile(file: GettextFile, options?: { endian?: 'be' | 'le' }): Uint8Array;
  };
}
