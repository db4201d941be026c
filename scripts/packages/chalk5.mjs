import chalk,{Chalk} from 'chalk5';const c=new Chalk({level:2});console.log(JSON.stringify([c.red('a'),c.bold.green('b'),c.rgb(1,2,3)('q')]),chalk.level);
