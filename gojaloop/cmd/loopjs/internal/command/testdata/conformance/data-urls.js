// fetch of data: URLs (Fetch 6), and of schemes that cannot be fetched.
const urls = ['data:,X', 'data:', 'data:text/html', 'data:,', 'data:,X#X', 'data:,%FF', 'data:text/plain,X', 'data:text/plain ,X', 'data:text/plain%20,X', 'data:text/plain;,X', 'data:;x=x;charset=x,X', 'data:text/plain;Charset=UTF-8,%C2%B1', 'data:text/plain,ñ💩', 'data:IMAGE/gif;CHARSET=x,%C2%B1', 'data: ,%FF', 'data:text / html,X', 'data:†,X', 'data:†/†,X', 'data:X,X', 'data:image/png,X X', 'data:text/plain;a=",",X', 'data:;base64;base64,WA', 'data:x/x;base64;charset=x,WA', 'data:x/x;base64;base64x,WA', 'data:;base64,W%20A', 'data:;base64,W%0CA', 'data:; base64,WA', 'data:;base64;,WA', 'data:;base64 ,WA', 'data:;BASe64,WA', 'data:;%62ase64,WA', 'data:;charset= x,X', 'data:;charset=,X', 'data:;charset="x",X', 'data:;CHARSET="X y",X', 'data://test/,X', 'data://test:test/,X', 'data:text/plain;base64,YQ', 'data:;base64,YQ==', 'data:;base64,YQ=', 'data:;base64,Y', 'data:;base64,ab=c', 'data:;base64,-_', 'data:text/html  ;x,<p>?q'];
(async () => {
  for (const url of urls) {
    try {
      const r = await fetch(url);
      console.log(url, '|', r.status, r.statusText, r.type, r.ok, r.redirected, r.url === url.replace(/#.*/, '') || r.url, r.headers.get('content-type'), new Uint8Array(await r.arrayBuffer()));
    } catch (e) { console.log(url, '|', e.name, e.message); }
  }
  for (const method of ['GET', 'HEAD', 'POST']) console.log(method, await (await fetch('data:,body', { method })).text());
  for (const url of ['about:blank', 'about:invalid', 'ftp://h/', 'mailto:a@b', 'unknown:x', 'blob:http://h/1', 'http://h:22/', 'ws://h/']) await fetch(url).then(() => console.log('fetched'), (e) => console.log(url, e.name, e.message));
  const c = new AbortController(); c.abort('why'); await fetch('data:,x', { signal: c.signal }).catch((e) => console.log(e));
})();
