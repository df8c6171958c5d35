import type { RuntimeName } from '../../src/runtimes/languages/names.ts';

/** One language's way to say the same things. */
export interface Programs {
  /** Prints `grüße, 世界 🌍` and its first argument, each on a line. */
  readonly hello: string;
  /** Prints `oh` to stderr and exits with 3. */
  readonly fails: string;
  /** Prints `began`, and does not end. */
  readonly loops: string;
  /** Cannot be compiled, or parsed. */
  readonly wrong: string;
  /** Files for the repository, and arguments with which the executable uses them; what it prints or makes. */
  readonly direct: {
    readonly files: Readonly<Record<string, string>>;
    readonly args: readonly string[];
    readonly prints?: RegExp;
    readonly makes?: string;
  };
}

const javascript = {
  hello: "console.log('grüße, 世界 🌍'); console.log(process.argv[2]);",
  fails: "console.error('oh'); process.exit(3);",
  loops: "require('node:fs').writeSync(1, 'began\\n'); for (;;);",
  wrong: 'const = ;',
};

/** How each runtime says it. Each has to be there: a row of the table without programs here is not tested. */
export const programs: Readonly<Record<RuntimeName, Programs>> = {
  node: {
    ...javascript,
    direct: {
      files: { 'tests/sum.test.js': "const { test } = require('node:test'); test('adds', () => {});" },
      args: ['--test', '--test-reporter=tap', 'tests/sum.test.js'],
      prints: /^# pass 1$/m,
    },
  },
  typescript: {
    hello: "const text: string = 'grüße, 世界 🌍'; console.log(text); console.log(process.argv[2] as string);",
    fails: "console.error('oh' as string); process.exit(3);",
    loops: "import { writeSync } from 'node:fs'; writeSync(1, 'began\\n'); for (;;) { const a: number = 1; void a; }",
    wrong: 'const = ;',
    direct: { files: { 'say.ts': "const a: string = 'typed'; console.log(a);" }, args: ['say.ts'], prints: /^typed$/m },
  },
  python: {
    hello: "import sys\nprint('grüße, 世界 🌍')\nprint(sys.argv[1])",
    fails: "import sys\nprint('oh', file=sys.stderr)\nsys.exit(3)",
    loops: "print('began', flush=True)\nwhile True: pass",
    wrong: 'def',
    direct: { files: { 'say.py': "print('from a file')" }, args: ['say.py'], prints: /^from a file$/m },
  },
  shell: {
    hello: 'echo \'grüße, 世界 🌍\'; echo "$1"',
    fails: 'echo oh >&2; exit 3',
    loops: 'echo began; while :; do :; done',
    wrong: 'if then',
    direct: { files: { 'say.sh': 'echo "from $0"' }, args: ['say.sh'], prints: /^from say\.sh$/m },
  },
  go: {
    hello: 'package main\nimport ("fmt"; "os")\nfunc main() { fmt.Println("grüße, 世界 🌍"); fmt.Println(os.Args[1]) }',
    fails: 'package main\nimport ("fmt"; "os")\nfunc main() { fmt.Fprintln(os.Stderr, "oh"); os.Exit(3) }',
    loops: 'package main\nimport "fmt"\nfunc main() { fmt.Println("began"); for { } }',
    wrong: 'package main\nfunc main() { x := 1 }',
    direct: {
      files: { 'say.go': 'package main\nimport "fmt"\nfunc main() { fmt.Println("from a file") }' },
      args: ['run', 'say.go'],
      prints: /^from a file$/m,
    },
  },
  java: {
    hello:
      'public class Hello { public static void main(String[] a) throws Exception { var out = new java.io.PrintStream(System.out, true, "UTF-8"); out.println("grüße, 世界 🌍"); out.println(a[0]); } }',
    fails: 'class Fails { public static void main(String[] a) { System.err.println("oh"); System.exit(3); } }',
    loops:
      'class Loops { public static void main(String[] a) { System.out.println("began"); System.out.flush(); while (true); } }',
    wrong: 'class Wrong { public static void main(String[] a) { int x = "text"; } }',
    direct: {
      files: { 'Say.java': 'class Say { public static void main(String[] a) { System.out.println("from a file"); } }' },
      args: ['Say.java'],
      prints: /^from a file$/m,
    },
  },
  kotlin: {
    hello: 'fun main(args: Array<String>) { println("grüße, 世界 🌍"); println(args[0]) }',
    fails: 'fun main() { System.err.println("oh"); System.exit(3) }',
    loops: 'fun main() { println("began"); System.out.flush(); while (true) { } }',
    wrong: 'fun main() { val x: Int = "text" }',
    direct: {
      files: { 'say.kt': 'fun main() { println("from a file") }' },
      args: ['say.kt', '-d', 'say.jar'],
      makes: 'say.jar',
    },
  },
  rust: {
    hello: 'fn main() { println!("grüße, 世界 🌍"); println!("{}", std::env::args().nth(1).unwrap()); }',
    fails: 'fn main() { eprintln!("oh"); std::process::exit(3); }',
    loops: 'fn main() { println!("began"); loop { std::hint::spin_loop(); } }',
    wrong: 'fn main() { let x: i32 = "text"; }',
    direct: { files: { 'say.rs': 'fn main() {}' }, args: ['--print', 'file-names', 'say.rs'], prints: /^say$/m },
  },
  c: {
    hello: '#include <stdio.h>\nint main(int n, char** a) { puts("grüße, 世界 🌍"); puts(a[1]); }',
    fails: '#include <stdio.h>\nint main() { fputs("oh\\n", stderr); return 3; }',
    loops: '#include <stdio.h>\nint main() { puts("began"); fflush(stdout); volatile int x = 1; while (x); }',
    wrong: 'int main() { return x; }',
    direct: { files: { 'say.c': 'int answer = 42;' }, args: ['-E', 'say.c'], prints: /^int answer = 42;$/m },
  },
  cpp: {
    hello: '#include <iostream>\nint main(int n, char** a) { std::cout << "grüße, 世界 🌍\\n" << a[1] << std::endl; }',
    fails: '#include <iostream>\nint main() { std::cerr << "oh" << std::endl; return 3; }',
    loops: '#include <iostream>\nint main() { std::cout << "began" << std::endl; volatile int x = 1; while (x); }',
    wrong: 'int main() { return x; }',
    direct: { files: { 'say.cpp': 'int answer = 42;' }, args: ['-E', 'say.cpp'], prints: /^int answer = 42;$/m },
  },
  csharp: {
    hello:
      'using System; class P { static void Main(string[] a) { Console.OutputEncoding = new System.Text.UTF8Encoding(false); Console.WriteLine("grüße, 世界 🌍"); Console.WriteLine(a[0]); } }',
    fails: 'using System; class P { static int Main() { Console.Error.WriteLine("oh"); return 3; } }',
    loops: 'class P { static void Main() { System.Console.WriteLine("began"); while (true); } }',
    wrong: 'class P { static void Main() { int x = "text"; } }',
    direct: {
      files: { 'say.cs': 'class P { static void Main() { } }' },
      args: ['-out:say.exe', 'say.cs'],
      makes: 'say.exe',
    },
  },
  ruby: {
    hello: "puts 'grüße, 世界 🌍'\nputs ARGV[0]",
    fails: "warn 'oh'\nexit 3",
    loops: '$stdout.sync = true\nputs "began"\nloop {}',
    wrong: 'def',
    direct: { files: { 'say.rb': "puts 'from a file'" }, args: ['say.rb'], prints: /^from a file$/m },
  },
  php: {
    hello: '<?php echo "grüße, 世界 🌍\\n", $argv[1], "\\n";',
    fails: '<?php fwrite(STDERR, "oh\\n"); exit(3);',
    loops: '<?php echo "began\\n"; while (true);',
    wrong: '<?php if (',
    direct: { files: { 'say.php': '<?php echo "from a file\\n";' }, args: ['say.php'], prints: /^from a file$/m },
  },
  perl: {
    hello: 'print "grüße, 世界 🌍\\n$ARGV[0]\\n";',
    fails: 'print STDERR "oh\\n"; exit 3;',
    loops: '$| = 1; print "began\\n"; while (1) {}',
    wrong: 'if (',
    direct: { files: { 'say.pl': 'print "from a file\\n";' }, args: ['say.pl'], prints: /^from a file$/m },
  },
  r: {
    hello: "cat('grüße, 世界 🌍\\n'); cat(commandArgs(trailingOnly = TRUE)[1], '\\n', sep = '')",
    fails: "write('oh', stderr()); quit(status = 3)",
    loops: "cat('began\\n'); flush(stdout()); while (TRUE) {}",
    wrong: 'if (',
    direct: { files: { 'say.R': "cat('from a file\\n')" }, args: ['say.R'], prints: /^from a file$/m },
  },
  elixir: {
    hello: 'IO.puts("grüße, 世界 🌍")\nIO.puts(hd(System.argv()))',
    fails: 'IO.puts(:stderr, "oh")\nSystem.halt(3)',
    loops: 'IO.puts("began")\nStream.repeatedly(fn -> 1 end) |> Stream.run()',
    wrong: 'def (',
    direct: { files: { 'say.exs': 'IO.puts("from a file")' }, args: ['say.exs'], prints: /^from a file$/m },
  },
};
