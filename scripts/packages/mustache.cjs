const M=require('mustache');console.log(M.render('{{#l}}{{n}},{{/l}}{{^e}}none{{/e}} {{{r}}} {{r}} {{>p}}',{l:[{n:1},{n:2}],e:[],r:'<a>'},{p:'part {{l.length}}'}));
