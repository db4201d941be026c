const qs=require('qs');console.log(qs.parse('a[b][c]=1&d[]=2&d[]=3&e=f%20g'),qs.stringify({a:{b:[1,2]},c:'x y',d:null}),qs.stringify({a:[1,2]},{arrayFormat:'brackets',encode:false}));
