import apiFetch from '@wordpress/api-fetch';
import { useEffect, useRef, useState } from 'react';

/** A record in the editor of WordPress. */
export function Editor({ type, id }) {
  const started = useRef(false);
  const [fault, setFault] = useState('');
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    // Lists do without them. The last two register formats of text, and where drafts are previewed.
    Promise.all([import('./editor.js'), import('@wordpress/format-library'), import('./previews.js')])
      .then(([{ edit }]) => edit(type, id))
      .catch(({ message }) => setFault(message));
  }, []);
  return fault === '' ? <div id="editor" className="block-editor" /> : <p role="alert">{fault}</p>;
}

/** The record that is translated, in a frame without rights, and beside it the editor. */
export function Beside({ type, id, source }) {
  const [shown, setShown] = useState('');
  useEffect(() => {
    apiFetch({ path: `/wp/v2/types/${type}` })
      .then(({ rest_base: base }) => apiFetch({ path: `/wp/v2/${base}/${source}` }))
      .then(({ title, content }) => setShown(`<h1>${title.rendered}</h1>${content.rendered}`));
  }, []);
  return (
    <div className="beside">
      <iframe title="The record that is translated" sandbox="" srcDoc={shown} />
      <Editor type={type} id={id} />
    </div>
  );
}
