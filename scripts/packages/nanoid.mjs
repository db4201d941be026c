import {nanoid,customAlphabet} from 'nanoid';console.log(nanoid().length,nanoid(5).length,/^[ab]{8}$/.test(customAlphabet('ab',8)()));
