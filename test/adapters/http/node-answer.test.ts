import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerSocket } from '../../../adapters/http/node-answer.ts';

/** A connection that records what is written, or fails to write. */
function createSocket(fault?: Error): { socket: Duplex; text: () => string } {
  const chunks: Uint8Array[] = [];
  const socket = new Duplex({
    read() {
      /* nothing comes */
    },
    write(chunk: Uint8Array, _encoding, done) {
      chunks.push(chunk);
      done(fault);
    },
  });
  return { socket, text: () => Buffer.concat(chunks).toString() };
}

const answer = suite('answerSocket');

answer('writes a complete response and closes', async () => {
  const { socket, text } = createSocket();
  answerSocket(socket, {
    status: 400,
    headers: { 'X-A': 'a\r\nb\u20ac', 'Transfer-Encoding': 'chunked' },
    body: 'é',
  });
  await once(socket, 'finish');
  assert.is(
    text(),
    'HTTP/1.1 400 Bad Request\r\nX-A: a??b?\r\nContent-Length: 2\r\nConnection: close\r\n\r\né',
  );
  socket.destroy();
});

answer('survives a closed connection', async () => {
  const { socket } = createSocket(new Error('ECONNRESET'));
  answerSocket(socket, { status: 400, headers: {}, body: null });
  await new Promise((resolve) => {
    socket.once('close', resolve);
  });
  assert.ok(socket.destroyed);
});

answer('writes nothing after an end', () => {
  const { socket, text } = createSocket();
  socket.end();
  answerSocket(socket, { status: 400, headers: {}, body: null });
  assert.is(text(), '');
  assert.ok(socket.destroyed);
});

answer.run();
