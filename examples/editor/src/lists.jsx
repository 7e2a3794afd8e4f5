import apiFetch from '@wordpress/api-fetch';
import { addQueryArgs } from '@wordpress/url';
import { useEffect, useState } from 'react';
import { readLanguages, readPage, readTypes, signOut } from './site.js';

const editAddress = (type, id, source) =>
  `/edit/${type}/${source === undefined ? '' : `from/${source}/`}post.php?post=${id}&action=edit`;

/** The state of what a request returned; `reload` sends it again. */
function useRequest(send, deps, first) {
  const [value, setValue] = useState(first);
  const [fault, setFault] = useState('');
  const reload = () => {
    send().then(setValue, ({ message }) => setFault(message));
  };
  useEffect(reload, deps);
  return { value, fault, reload, setFault };
}

function Frame({ title, fault, children }) {
  const { value: types } = useRequest(readTypes, [], []);
  return (
    <main className="page">
      <nav>
        {types.map(({ slug, name }) => (
          <a key={slug} href={`/edit/${slug}/edit.php`}>
            {name}
          </a>
        ))}
        <a href="/edit/attachment/">Media</a>
        <button onClick={signOut}>Sign out</button>
      </nav>
      <h1>{title}</h1>
      {fault !== '' && <p role="alert">{fault}</p>}
      {children}
    </main>
  );
}

function Pager({ page, pages, onPage }) {
  return (
    <nav aria-label="Pages">
      <button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      {page} / {Math.max(pages, 1)}
      <button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}

const NOTHING = { records: [], pages: 0 };

/** The records of a type in one language, with their translations. */
export function Records({ type }) {
  const [asked, setAsked] = useState({ page: 1, search: '', status: 'any' });
  const ask = (change) => setAsked({ ...asked, page: 1, ...change });
  const { value: languages } = useRequest(readLanguages, [], []);
  const { value: info, fault } = useRequest(() => apiFetch({ path: `/wp/v2/types/${type}` }), [type], null);
  const {
    value,
    fault: unread,
    setFault,
  } = useRequest(
    async () => {
      if (info === null) return NOTHING;
      return readPage(addQueryArgs(`/wp/v2/${info.rest_base}`, { ...asked, context: 'edit' }));
    },
    [asked, info],
    NOTHING,
  );
  if (info === null) return <Frame title="" fault={fault} />;
  const create = (values, source) =>
    apiFetch({ path: `/wp/v2/${info.rest_base}`, method: 'POST', data: { status: 'draft', ...values } }).then(
      ({ id }) => location.assign(editAddress(type, id, source)),
      ({ message }) => setFault(message),
    );
  const translate = ({ id, title }, language) =>
    create({ title: title.raw, wpml_language: language, wpml_translation_of: id }, id);
  return (
    <Frame title={info.name} fault={fault || unread}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const title = new FormData(event.currentTarget).get('title');
          create({ title, wpml_language: asked.wpml_language });
        }}
      >
        <input name="title" placeholder="Title" aria-label="Title" required />
        <button>New</button>
        <select
          aria-label="Language"
          onChange={({ target }) => ask({ wpml_language: target.value || undefined })}
        >
          <option value="">Main language</option>
          {languages.map((language) => (
            <option key={language}>{language}</option>
          ))}
        </select>
        <input type="search" aria-label="Search" onChange={({ target }) => ask({ search: target.value })} />
      </form>
      <table>
        <thead>
          <tr>
            <th>Title</th>
            <th>Status</th>
            <th>Changed</th>
            <th>Translations</th>
          </tr>
        </thead>
        <tbody>
          {value.records.map((record) => (
            <tr key={record.id}>
              <td>
                <a href={editAddress(type, record.id)}>{record.title.raw || '(no title)'}</a>
              </td>
              <td>{record.status}</td>
              <td>{record.modified.replace('T', ' ')}</td>
              <td>
                {languages
                  .filter((language) => language !== record.wpml_language)
                  .map((language) => {
                    const other = record.wpml_translations?.[language];
                    return other === undefined ? (
                      <button key={language} onClick={() => translate(record, language)}>
                        + {language}
                      </button>
                    ) : (
                      <a key={language} href={editAddress(type, other, record.id)}>
                        {language}{' '}
                      </a>
                    );
                  })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pager page={asked.page} pages={value.pages} onPage={(page) => setAsked({ ...asked, page })} />
    </Frame>
  );
}

/** The media library. */
export function Media() {
  const [page, setPage] = useState(1);
  const { value, fault, reload, setFault } = useRequest(
    () => readPage(`/wp/v2/media?context=edit&per_page=24&page=${page}`),
    [page],
    NOTHING,
  );
  const run = (request) => request.then(reload, ({ message }) => setFault(message));
  const upload = async ({ target }) => {
    for (const file of target.files) {
      const body = new FormData();
      body.append('file', file);
      await run(apiFetch({ path: '/wp/v2/media', method: 'POST', body }));
    }
    target.value = '';
  };
  const change = (id, data) => run(apiFetch({ path: `/wp/v2/media/${id}`, method: 'POST', data }));
  const remove = (id) =>
    confirm('Remove this file for good?') &&
    run(apiFetch({ path: `/wp/v2/media/${id}?force=true`, method: 'DELETE' }));
  return (
    <Frame title="Media" fault={fault}>
      <input type="file" multiple aria-label="Upload" onChange={upload} />
      <div className="pictures">
        {value.records.map(({ id, title, media_type: kind, source_url: url, alt_text: text }) => (
          <figure key={id}>
            <a href={url}>{kind === 'image' ? <img src={url} alt={text} loading="lazy" /> : title.raw}</a>
            <input
              aria-label={`Description of ${title.raw}`}
              defaultValue={text}
              onBlur={({ target }) => target.value !== text && change(id, { alt_text: target.value })}
            />
            <button onClick={() => remove(id)}>Remove</button>
          </figure>
        ))}
      </div>
      <Pager page={page} pages={value.pages} onPage={setPage} />
    </Frame>
  );
}
