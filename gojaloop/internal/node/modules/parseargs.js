// util.parseArgs.
const { argType, coded, check } = load('nodeerrors');
const failed = (code, message) => coded(TypeError, code, message);
function parseArgs(config = {}) {
  const { process } = load('process');
  const { args = process.argv.slice(2), options = {}, strict = true, allowPositionals = !strict, tokens: wantTokens = false, allowNegative = false } = config;
  check.object(options, 'options');
  const shorts = {}, values = { __proto__: null }, positionals = [], tokens = [];
  for (const name of Object.keys(options)) {
    const o = options[name];
    if (o.type !== 'string' && o.type !== 'boolean') throw argType(`options.${name}.type`, "('string|boolean')", o.type);
    if (o.short !== undefined) {
      if (o.short.length !== 1) throw failed('ERR_INVALID_ARG_VALUE', `The property 'options.${name}.short' must be a single character. Received ${native.inspectShort(o.short)}`);
      shorts[o.short] = name;
    }
  }
  const own = (name) => (Object.hasOwn(options, name) ? options[name] : undefined);
  const rest = [...args];
  let index = -1;
  const next = () => { index++; return rest.shift(); };
  const option = (name, rawName, value, inlineValue) => {
    const token = { kind: 'option', name, rawName, index, value, inlineValue };
    if (value !== undefined && inlineValue === false) next();
    tokens.push(token);
  };
  while (rest.length) {
    const arg = next();
    if (arg === '--') {
      tokens.push({ kind: 'option-terminator', index });
      while (rest.length) tokens.push({ kind: 'positional', index: ++index, value: rest.shift() });
      break;
    }
    const waiting = (name) => own(name) && own(name).type === 'string' && rest.length > 0 && !(strict && rest[0].length > 1 && rest[0].startsWith('-'));
    if (/^-[^-]/.test(arg)) {
      const letters = [...arg.slice(1)];
      for (let i = 0; i < letters.length; i++) {
        const name = shorts[letters[i]] || letters[i], o = own(name);
        if (o && o.type === 'string' && i < letters.length - 1) { option(name, `-${letters[i]}`, letters.slice(i + 1).join(''), true); break; }
        if (o && o.type === 'string' && i === letters.length - 1 && rest.length && (waiting(name) || !strict)) { option(name, `-${letters[i]}`, rest[0], false); break; }
        option(name, `-${letters[i]}`, undefined, undefined);
      }
    } else if (arg.startsWith('--')) {
      const at = arg.indexOf('=', 3);
      if (at > 0) option(arg.slice(2, at), arg.slice(0, at), arg.slice(at + 1), true);
      else if (waiting(arg.slice(2))) option(arg.slice(2), arg, rest[0], false);
      else option(arg.slice(2), arg, undefined, undefined);
    } else tokens.push({ kind: 'positional', index, value: arg });
  }
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (!allowPositionals) throw failed('ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL', `Unexpected argument '${token.value}'. This command does not take positional arguments`);
      positionals.push(token.value);
    }
    if (token.kind !== 'option') continue;
    let { name } = token, on = true;
    if (allowNegative && !own(name) && name.startsWith('no-') && own(name.slice(3)) && own(name.slice(3)).type === 'boolean') { name = name.slice(3); on = false; }
    const o = own(name);
    if (strict) {
      if (!o) throw failed('ERR_PARSE_ARGS_UNKNOWN_OPTION', `Unknown option '${token.rawName}'${allowPositionals ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- "${token.rawName}"` : ''}`);
      const label = `${o.short ? `-${o.short}, ` : ''}--${name}`;
      if (o.type === 'string' && token.value === undefined) throw failed('ERR_PARSE_ARGS_INVALID_OPTION_VALUE', `Option '${label} <value>' argument missing`);
      if (o.type === 'boolean' && token.value !== undefined) throw failed('ERR_PARSE_ARGS_INVALID_OPTION_VALUE', `Option '${label}' does not take an argument`);
    }
    if (name === '__proto__') continue;
    const value = token.value === undefined ? on : token.value;
    if (o && o.multiple) (values[name] ||= []).push(value);
    else values[name] = value;
  }
  for (const name of Object.keys(options)) if (options[name].default !== undefined && values[name] === undefined) values[name] = options[name].default;
  return wantTokens ? { values, positionals, tokens } : { values, positionals };
}
return { parseArgs };
