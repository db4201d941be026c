const ejs=require('ejs');console.log(ejs.render('<% for(const x of l){ %><li><%= x %></li><% } %><%- r %>',{l:['a','<b>'],r:'<hr>'}));try{ejs.render('<%= nope %>')}catch(e){console.log(e.name)}
