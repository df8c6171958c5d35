import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { evaluate } from './console-session.ts';

// Each is run as it is and with `await` in it, and has the value that V8 gives it as a script.
const PROGRAMS = [
  '',
  ';',
  '1',
  '1;;',
  '1;{}',
  '1;{;}',
  '{1}',
  '{1;{2}}3;{}',
  '1;var a = 2',
  '1;let a = 2',
  '1;const a = 2',
  '1;class A {}',
  '1;function f() {}',
  '1;{class A {}}',
  '1;debugger',
  "'text'",
  "'use strict'",
  "'use strict';var x = 1",
  'a:1',
  '1;a:;',
  '1;a:b:{2;break a}',
  '0;L:{break L}',
  '1;if(0)2',
  '1;if(1)2',
  '1;if(0)2;else 3',
  '1;if(0)2;else if(0)3',
  '1;if(0)2;else if(1)3;else 4',
  '1;if(1){}',
  '1;if(1);',
  '1;if(1)var v=5',
  '1;if(1){2;{}}',
  'var i=0;while(i<3)i++',
  'var i=0;while(i<3){i++}',
  '1;while(0);',
  'var i=0;do i++;while(i<3)',
  'var i=0;do i++\nwhile(i<3) 7',
  '1;do;while(0)',
  'do{1;if(true)break}while(0)',
  'do{1;{break}}while(0)',
  'do{2;continue;3}while(0)',
  'for(var i=0;i<3;i++)i',
  'for(let i=0;i<3;i++)i*2',
  '1;for(;0;);',
  'for(var i=0,n=2;i<n;i++){if(i)i}',
  'for(const a of[1,2])if(a==1)a',
  'for(const a of[1,2])if(a==2)a',
  'for(const a of[1,2])a:if(a==1)a',
  'for(var a of[1,2])a',
  'for(var [a,b=3] of[[1],[2]])a+b',
  'for(var {a} of[{a:1}])a',
  'for(var k in{x:1,y:2})k',
  'for(const k in{x:1,y:2}){k;if(k=="x")continue}',
  'for(var k = "z" in {})k;k',
  'for(var k = "z" /* in */ in ({}))k;k',
  'var o={};for(o.p of[1,2]);o.p',
  'L:for(;;){1;for(;;){break L}}',
  'L:for(const a of[1,2]){for(const b of[3,4]){a*b;continue L}}',
  '1;switch(1){}',
  'switch(1){case 1:5;break;case 2:6}',
  'switch(1){case 1:5;default:6;}',
  '3;switch(1){case 2:5}',
  'switch(2){default:1;case 3:{};break;case 4:2}',
  'switch(1){case 1:var q=4;let r=5;q+r}',
  '1;L:switch(1){case 1:2;break L}',
  '1;try{}finally{}',
  'try{1}finally{2}',
  'try{1}catch{2}',
  'try{1;throw 2}catch(e){e}',
  '1;try{5;throw 2}catch{}',
  'try{throw 1}catch(e){e}finally{3}',
  'do{try{1}finally{2;break}}while(0)',
  'do{try{1;break}finally{2}}while(0)',
  'do{7;try{break}finally{3}}while(0)',
  'do{7;try{3;throw 1}catch{break}finally{}}while(0)',
  'do{try{1}finally{try{2}finally{3};if(1)break}}while(0)',
  'do{try{1}finally{{break}}}while(0)',
  'var n=0;for(;;){try{n++}finally{if(n<3)continue;n*10;break}}',
  '1;with({a:2}){}',
  'with({a:2})a',
  'with({a:2}){if(0)1}',
  'a1=1,a2=2',
  '(1,2)',
  '({a:1}).a',
  '(function(){}).name',
  '(()=>1).name',
  '(class{}).name',
  'typeof this',
  'this===globalThis',
  'eval("1;var ev=2")',
  'if(1)function f(){} typeof f',
  '{function f(){return 1}} f()',
  'var f=1;{f=2;function f(){};f=3}typeof f',
  'let f=1;{function f(){}}f',
  'f;{var before=typeof f;function f(){}}before+typeof f',
  '{let g=1;{function g(){}}}typeof g',
  'switch(1){case 1:function f(){return 4}}f()',
  'switch(typeof f){case "undefined":function f(){}}typeof f',
  'try{throw 1}catch(f){{function f(){}}}typeof f',
  '{l:function f(){}}typeof f',
  'l:function f(){} typeof f',
  '{async function f(){}}typeof f',
  '{function f(){return 1}function f(){return 2}}f()',
];

test('a script that neither awaits nor returns has the value that V8 gives it', async () => {
  for (const program of PROGRAMS) assert.deepEqual(await evaluate(program), asScript(program), program);
});

test('a script that awaits has the value it would have without', async () => {
  for (const program of PROGRAMS) {
    const awaiting = `var __w = await null;${program}`;
    const expected = asScript(`var __w = null;${program}`);
    assert.deepEqual(await evaluate(awaiting), expected, awaiting);
  }
});

test('a script that may return has the value it would have without', async () => {
  for (const program of PROGRAMS) {
    const returning = `if (this.never) return;${program}`;
    const expected = asScript(`if (this.never);${program}`);
    assert.deepEqual(await evaluate(returning), expected, returning);
  }
});

test('what is awaited in a statement does not change its value', async () => {
  for (const [program, expected] of [
    ['await 5', 5],
    ['1;if(await 0)2', undefined],
    ['1;if(await 1)2', 2],
    ['for(const a of await [1,2])await a', 2],
    ['for await(const a of [1,2])a', 2],
    ['for await(var a of [1,Promise.resolve(2)]){}a', 2],
    ['switch(await 1){case await 1:5}', 5],
    ['try{1;await Promise.reject(2)}catch(e){e}', 2],
    ['try{1}finally{await 2}', 1],
    ['do{try{1}finally{await 2;break}}while(await 0)', 2],
    ['var i=0;while(await(i<3))i++', 2],
    ['L:{1;break L;await 2}', 1],
    ['{await 1;{await 2}}', 2],
    ['1;let x=await 2', 1],
    ['1;class A{[await "m"](){}}', 1],
    ['`${await 1}${await 2}`', '12'],
    ['[await 1,{a:await 2}]', [1, { a: 2 }]],
    ['(await (async()=>1)())+(await(2))', 3],
    ['await(1)', 1],
    ['await [1]', [1]],
    ['await /x/.source', 'x'],
    ['await +1', 1],
    ['const {a=await 1,...b}={c:2};[a,b]', [1, { c: 2 }]],
    ['const f=async(x=1)=>await x;await f()', 1],
    ['class A extends(await class{}){};typeof A', 'function'],
    ['"use strict";await 1;(function(){return this})()', undefined],
    ['await 1;(function(){return this===globalThis})()', true],
    // V8 takes the function for a value, which it is not.
    ['1;{function f() {}}await 2;if(0);', undefined],
    ['1;await 2;{function f() {}}', 2],
    ["'hello';var x=await 1", 'hello'],
  ] satisfies [string, unknown][]) {
    assert.deepEqual(plain(await evaluate(program)), expected, program);
  }
});

test('the value of a return is the value of the run', async () => {
  for (const [program, expected] of [
    ['return 1', 1],
    ['return', undefined],
    ['5;return', undefined],
    ['return\n5', undefined],
    ['return 1,2', 2],
    ['return(1)', 1],
    ['return/a/.source', 'a'],
    ['return/* c */ 3 // d\n', 3],
    ['return 4 // d\n;', 4],
    ['return [1,2]', [1, 2]],
    ['return{a:1}', { a: 1 }],
    ['return a()\nfunction a(){return 6}', 6],
    ['if(1)return 1\nelse return 2', 1],
    ['if(0)return 1;else return 2;', 2],
    ['for(const x of[1,2,3])if(x==2)return x;9', 2],
    ['for(;;){return 3}', 3],
    ['try{return 1}finally{2}', 1],
    ['try{return 1}finally{return 2}', 2],
    ['try{throw 1}catch(e){return e}', 1],
    ['switch(1){case 1:return 5}', 5],
    ['L:{if(1)break L;return 1}7', 7],
    ['return await 8', 8],
    ['return (()=>{return 9})()', 9],
    ['var await=1;return await+1', 2],
    ['return (()=>1).name', ''],
    ['{return function(){return 1}()}', 1],
  ] satisfies [string, unknown][]) {
    assert.deepEqual(plain(await evaluate(program)), expected, program);
  }
});

test('a promise that is returned or is the last value is handed on as it is', async () => {
  for (const program of ['return new Promise(()=>{})', 'await 1;new Promise(()=>{})', 'return{then(){throw 1}}']) {
    const value = await evaluate(program);
    assert.ok(typeof value === 'object' && value !== null && 'promise' in value, program);
  }
});

function asScript(program: string): unknown {
  return vm.runInContext(program, vm.createContext());
}

/** Objects of another realm are equal to ours only without their prototypes. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
