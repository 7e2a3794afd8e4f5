import { isSafeUrl } from './sanitise-attribute.ts';

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** Characters that an address may contain. Spaces are encoded, all others are dropped. */
const FOREIGN = /[^a-z0-9\-~+_.?#=!&;,/:%@$|*'()[\]\u0080-\uffff]/gi;

/**
 * An address that a person has typed, as it is stored: '' if its scheme is not safe. As in WordPress, a text without a scheme
 * gets one, whatever it is.
 */
export function toWebAddress(text: string): string {
  const address = text.trim().replaceAll(' ', '%20').replaceAll(FOREIGN, '');
  if (address === '' || !isSafeUrl(address)) return '';
  return SCHEME.test(address) || /^[/#?]/.test(address) ? address : `http://${address}`;
}
