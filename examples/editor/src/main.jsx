import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Beside, Editor } from './edit.jsx';
import { Media, Records } from './lists.jsx';
import { isSignedIn, signIn } from './site.js';

// The library of the editor's dialogs shows the media of the site over REST, without parts of WordPress's own pages.
window.__experimentalDataViewsMediaModal = true;

function SignIn({ onDone }) {
  const [fault, setFault] = useState('');
  const send = (event) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    signIn(fields.get('login'), fields.get('password')).then(onDone, ({ message }) => setFault(message));
  };
  return (
    <main className="page">
      <h1>Sign in</h1>
      <form onSubmit={send}>
        <label>
          Login <input name="login" autoComplete="username" required />
        </label>
        <label>
          Application password{' '}
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <button>Sign in</button>
      </form>
      {fault !== '' && <p role="alert">{fault}</p>}
    </main>
  );
}

/**
 * The addresses of WordPress's own pages, because the editor links to them: `post.php?post=5&action=edit`, `edit.php`. The type of
 * the record stands before them, since the editor replaces what follows: `/edit/page/post.php?post=5`, and beside it the record that
 * is translated, `/edit/page/from/3/post.php?post=5`.
 */
function Page() {
  const [, , type = 'post', , source] =
    /^\/edit\/(([a-z_-]+)\/(from\/(\d+)\/)?)?/.exec(location.pathname) ?? [];
  const id = Number(new URLSearchParams(location.search).get('post'));
  if (type === 'attachment') return <Media />;
  if (id > 0)
    return source === undefined ? <Editor {...{ type, id }} /> : <Beside {...{ type, id, source }} />;
  return <Records type={type} />;
}

function App() {
  const [isIn, setIn] = useState(isSignedIn());
  return isIn ? <Page /> : <SignIn onDone={() => setIn(true)} />;
}

createRoot(document.getElementById('app')).render(<App />);
