// The option integrity of fetch (Subresource Integrity 3.3).
const good = {
  sha256: 'sha256-y8a2IdNN04xfTkMa826/uhtat66yXEGFAlXx8HzpQAk=',
  sha384: 'sha384-MNv6mo0LG7BVLa310HT1WzsLHkHNiA0QyMvLwWmZ3t+a46WdvWEXaUL2xZkGLGQe',
  sha512: 'sha512-x7H5h/OTNGjD6gkfBMbWzgXKD+euycAQzQOzLUh0wvCxkKMSOmod8otmgq9wWa7/7ZWYdPQRAEGKeeixXXkaig==',
};
const bad = (name) => `${name}-AAAA${good[name].slice(11)}`;
const url64 = (s) => s.slice(0, 7) + s.slice(7).replace(/\+/g, '-').replace(/\//g, '_');
const cases = [good.sha256, good.sha384, good.sha512, bad('sha256'), bad('sha384'), bad('sha512'), `${bad('sha256')} ${good.sha256}`, `${bad('sha256')} ${good.sha512}`, `${good.sha256} ${bad('sha512')}`, `${bad('sha512')} ${good.sha512}`,
  'foo', 'md5-x', '', `foo ${good.sha384}`, `foo ${bad('sha384')}`, good.sha256.replace(/=+$/, ''), url64(good.sha512)];
(async () => {
  for (const integrity of cases) await fetch('data:,top.', { integrity }).then(async (r) => console.log(r.status, r.url, await r.text()), (e) => console.log(e.name, e.message));
  const r = await fetch(new Request('data:,top.', { integrity: good.sha256 })); console.log(r.type, r.bodyUsed, new TextDecoder().decode((await r.body.getReader().read()).value));
})();
