// The only JavaScript outside the isolate: it loads the core and never gets control back.
const [addon, jitOffset, maxHeapMb, baseHeap, parts] = process.argv.slice(2);
require(addon).serve(3, Number(jitOffset), Number(maxHeapMb), baseHeap, parts);
