console.log(require('minimist')(['-a','3','--b=x','--no-c','-def','--','q','r','--n','5'],{boolean:['e'],alias:{a:'al'},'--':true}));
