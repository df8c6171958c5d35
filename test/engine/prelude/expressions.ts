/** Values of every kind that a console prints, as source: the same text is evaluated in the engine and in Node. */
export const expressions: readonly string[] = String.raw`
1
-0
'str'
'it\'s'
"a\nb"
10n
Symbol('a')
undefined
null
true
[]
{}
[1,2,3]
[,1,,2]
new Array(5)
Array.from({length:200},(_, i)=>i)
Array.from({length:30},(_, i)=>'item'+i)
({a:1,b:'x',c:[1,[2,[3,[4]]]],d:{e:{f:{g:1}}}})
({['a-b']:1,[Symbol('k')]:2,get g(){return 1},set s(v){},get gs(){return 1},set gs(v){}})
Object.create(null)
Object.create({a:1})
Object.assign(Object.create(null),{x:1})
new (class Foo{constructor(){this.a=1}})
new (class Foo extends Map{})([[1,2]])
new (class Foo extends Array{})(3)
class A{}
class B extends Array{}
function f(){}
()=>1
async()=>1
function*g(){}
async function*ag(){}
Object.assign(function f(){}, {x:1})
new Map([[1,2],[{a:1},[1]]])
new Set([1,'a',{b:2}])
new Map([['x',new Map([['y',new Map([['z',new Map()]])]])]])
new WeakMap()
new WeakSet()
new Map([[1,2]]).entries()
new Map([[1,2]]).keys()
new Set([5]).values()
new Set([5]).entries()
[1][Symbol.iterator]()
'a'[Symbol.iterator]()
(function*(){})()
Promise.resolve(1)
new Promise(()=>{})
(()=>{const p=Promise.reject(new RangeError('x').message);p.catch(()=>{});return p})()
new Date(0)
new Date(NaN)
/a/gi
new RegExp('/')
Object.assign(/x/,{p:1})
Object.assign(new Date(0),{p:1})
new Uint8Array(5)
new Float64Array([1.5,-0])
new BigInt64Array(2)
new ArrayBuffer(8)
new DataView(new ArrayBuffer(4))
new Uint8Array(300)
Object.assign(new Uint8Array(2),{x:1})
new ArrayBuffer(200)
new Proxy({a:1},{})
new Proxy([1,2],{})
new Proxy(function f(){},{})
new Proxy(new Proxy({a:1},{}),{})
(()=>{const r=Proxy.revocable({}, {});r.revoke();return r.proxy})()
({p:new Proxy({a:1},{get(){throw new Error('no')}})})
new Number(3)
new String('abc')
new Boolean(false)
Object(Symbol('q'))
Object(5n)
Object.assign(new String('abc'),{x:1})
(function(){return arguments})(1,2)
globalThis.Math
JSON
Reflect
(()=>{const a={};a.self=a;return a})()
(()=>{const a=[1];a.push(a);return {a,b:{a}}})()
(()=>{const m=new Map();m.set('m',m);return m})()
({a:{b:{c:{}}}})
({a:{b:{c:{d:1}}}})
[[[[[]]]]]
[[[[1]]]]
'x'.repeat(20000)
['x'.repeat(20000)]
['a'.repeat(100),'b\n'.repeat(40)]
({s:'a\nb\nc',long:'word '.repeat(40)})
['\u0000\x7f\ud800']
({'__proto__x':1, ['__proto__']:2})
Object.freeze({a:1})
new (class extends Date{})(0)
new (class X{get [Symbol.toStringTag](){return 'Tag'}})
({[Symbol.toStringTag]:'T'})
Object.setPrototypeOf([1],null)
Object.setPrototypeOf(new Map([[1,2]]),null)
Object.setPrototypeOf(new Date(0),null)
Object.setPrototypeOf(/x/,null)
Object.setPrototypeOf(function f(){},null)
Object.setPrototypeOf(new Uint8Array(2),null)
Object.setPrototypeOf(new Set([1]),null)
({[Symbol.for('nodejs.util.inspect.custom')](d,o){return 'CUSTOM '+d}})
({inspect(){return 'x'}})
({a:1n,b:Symbol.iterator,c:undefined,d:null})
{a:[{b:{c:{}}}]}
Array.from({length:101},()=>({a:1}))
Object.fromEntries(Array.from({length:60},(_, i)=>['key'+i,i]))
[undefined,null,NaN,Infinity]
new WeakRef({a:1})
[1.5,2.25,3.125,100,2000,30000,400000]
['日本','😀','é','abc','def','ghi','jkl']
new Map([[new Map([[1,2]]),new Set([1])]])
[function(){},class{},()=>{}]
({f(){},async g(){},*h(){}})
Object.create({constructor:{name:'Fake'}})
Object.create(Object.create(null))
new (function Foo(){this.x=1})
[new Date(0),/x/,new Error('e').message]
new Array(3).fill([])
[[],{},[[]],[{}]]
{a:[],b:{},c:new Map,d:new Set}
`
  .trim()
  .split('\n');
