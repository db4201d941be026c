// What the URL Standard has changed since Node 20.
for (const input of ['http://a/^b?^#^', 'x:/^', 'x:^', 'data:space  ?q', 'data:space  #h', 'data:space  ', 'data:a b ?q#h']) console.log(JSON.stringify(new URL(input).href), JSON.stringify(new URL(input).pathname));
const u = new URL('data:space  ?q#h'); u.search = ''; console.log(u.href); u.hash = ''; console.log(u.href);
console.log(URL.parse('x', 'http://a/').href, URL.parse('x'), URL.parse.length); try { URL.parse(); } catch (e) { console.log(e.name); }
console.log(String(new URLSearchParams(null)), String(new URLSearchParams('a=%ff%fe%f0%9f')), crypto.randomUUID.length);
