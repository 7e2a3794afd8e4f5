import { defineNamespace, type Namespace } from '../../../lib/index.ts';
import {
  countWords,
  type CreateParts,
  type Ports,
  readHtml,
  renderBuilt,
  servicesOf,
  TEXT_KINDS,
  toPlainText,
} from '../../plugin.ts';
import { createPhotofeedNamespace } from './photofeed.ts';
import { builderDescriptor } from './routes.ts';
import { listBuilderShortcodes } from './shortcodes.ts';

/** What an analyser counts in rendered content. */
interface ContentStats {
  readonly word_count: number;
  readonly headings: readonly { readonly level: number; readonly text: string }[];
}

/** Counts the words and headings of markup. */
export function toStats(html: string): ContentStats {
  const headings: { level: number; text: string }[] = [];
  let open: { level: number; text: string } | null = null;
  readHtml(html, {
    start: ({ name }) => {
      const level = /^h([1-6])$/.exec(name)?.[1];
      if (level === undefined) return;
      open = { level: Number(level), text: '' };
      headings.push(open);
    },
    end: ({ name }) => {
      if (/^h[1-6]$/.test(name)) open = null;
    },
    text: (text) => {
      if (open !== null) open.text += text;
    },
  });
  return {
    word_count: countWords(toPlainText(html)),
    headings: headings.map(({ level, text }) => ({
      level,
      text: TEXT_KINDS.typed.toShown(text.replaceAll(/\s+/g, ' ').trim()),
    })),
  };
}

/** Renders content as the page builder shows it. `config.builder.shortcodes`: name -> `Shortcode`. */
export function createBuilderNamespace(ports: Ports): Namespace {
  const parts = { store: ports.store, shortcodes: servicesOf(ports).shortcodes };
  return defineNamespace(builderDescriptor, {
    'builder.render': async ({ content, with: extras }, call) => {
      const html = await renderBuilt(parts, content, call);
      return extras.includes('stats') ? { content: html, ...toStats(html) } : { content: html };
    },
  });
}

/** The code of the plugin. Its shortcodes depend on the settings. */
export const createBuilder: CreateParts = ({ ports }) => ({
  namespaces: [createPhotofeedNamespace(ports), createBuilderNamespace(ports)],
  shortcodes: listBuilderShortcodes(ports.config),
});
