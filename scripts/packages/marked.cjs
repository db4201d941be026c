const {marked}=require('marked');console.log(marked.parse('# Hi\n\n*a* **b** `c`\n\n- x\n- y\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet a = 1 < 2;\n```\n[l](http://x.y)'));
