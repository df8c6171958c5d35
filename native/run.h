// One run: restore a heap, run a source, describe its value, leave a snapshot.
#ifndef CAY_RUN_H_
#define CAY_RUN_H_

#include <v8.h>

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isolate.h"
#include "jit.h"
#include "memory.h"
#include "parts.h"
#include "wire.h"

namespace cay {

struct RunRequest {
  size_t heap_cap = 0;
  size_t max_output = 0;
  uint32_t max_result = 0;
  uint32_t max_pending_calls = 0;
  uint32_t max_call = 0;  // bytes of one call's payload
  bool keep_heap = false;
  std::string config;  // JSON for the prelude
  std::string source;

  static bool Parse(std::string_view body, RunRequest* request);
};

// The config of a source that needs nothing.
constexpr char kPlainConfig[] =
    R"({"wrapped":false,"consts":[],"declared":[],"guards":[],"map":null,"omit":[],"functions":[]})";

// Where the context keeps the hooks, and the entries of pending calls.
constexpr int kHooksField = 1;
constexpr int kCallsField = 2;

// What the prelude returns at bake time, by position in the array that the context's embedder data holds.
enum class Hook { kBegin, kDescribe, kDescribeError, kReportUncaught, kPrepareStack, kLocate, kBeforeSnapshot };
constexpr const char* kHookNames[] = {"begin",        "describe", "describeError", "reportUncaught",
                                      "prepareStack", "locate",   "beforeSnapshot"};

// How a call is answered. What is scheduled is the prelude's own, not a function of the caller's.
enum class CallKind : uint8_t { kAsynchronous, kSynchronous, kScheduled };

class Run {
 public:
  Run(const Host& host, const JitSwitch& jit, const Parts& parts, Wire* wire, const RunRequest& request);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  static Run* Of(v8::Isolate* isolate) { return static_cast<Run*>(isolate->GetData(0)); }

  struct Ended {
    bool reusable;         // the process may serve another run
    bool saves;            // a heap was wanted, and the run completed
    std::string text;      // of the value, or of the error
    v8::StartupData heap;  // the caller's to delete[]; no data where none was made
    std::string heap_error;
  };
  // The outcome has left, as a frame, when this returns; the heap has not.
  Ended Execute(const v8::StartupData& heap);
  // Makes the base heap: runs the prelude in an empty context, and returns its snapshot.
  v8::StartupData Bake(std::string_view prelude);

  // Runs the source on `heap` for the parts that it asks for: V8's code caches of them, by name.
  std::vector<std::pair<std::string, std::string>> CacheParts(const v8::StartupData& heap);

  double Elapsed() const;
  // The value of a part's source, undefined when there is none of that name.
  v8::MaybeLocal<v8::Value> LoadPart(v8::Local<v8::Context> context, std::string_view name);
  void Print(v8::Local<v8::String> text);

  // Host calls (calls.cc). The entries of pending calls live in the JavaScript heap, C++ holds none.
  // Null, or why the call was refused.
  const char* StartCall(CallKind kind, std::string_view name, std::string_view payload, uint32_t* id);
  bool KeepCall(uint32_t id, v8::Local<v8::Value> entry);
  void CancelCall(uint32_t id);
  Frame AwaitReply(uint32_t id);

 private:
  enum class Status : uint8_t { kCompleted, kThrown, kNotCompiled, kOutOfMemory, kStuck };
  struct Described {
    Status status = Status::kCompleted;
    std::string first, second, third;  // kind, text, why; or name, message, stack
    std::string code{};                // of an error, its `code` where that is a text
  };

  Described RunSource(v8::Local<v8::Context> context);
  Described Finish(v8::Local<v8::Context> context, v8::Local<v8::Value> completion);
  Described Describe(v8::Local<v8::Context> context, v8::Local<v8::Value> value);
  Described DescribeThrown(v8::Local<v8::Context> context, v8::Local<v8::Value> error, Status status);
  Described NotCompiled(v8::Local<v8::Context> context, const v8::TryCatch& caught, const std::string& script_name);
  void SendOutcome(const Described& described, double restore_ms, double run_ms);

  // Runs microtasks and replies until `wanted` is settled, or nothing is pending. `wanted` may be empty: until nothing is.
  void Drive(v8::Local<v8::Context> context, v8::Local<v8::Promise> wanted);
  void Deliver(v8::Local<v8::Context> context, const Frame& frame);
  void DeliverEarly(v8::Local<v8::Context> context);
  void ReportRejections(v8::Local<v8::Context> context);
  static void OnRejection(v8::PromiseRejectMessage message);

  bool PrepareSnapshot(v8::Local<v8::Context> context, std::string* why);
  void Install(v8::Isolate* isolate);
  v8::Isolate::CreateParams Params(const v8::StartupData* heap) const;
  v8::MaybeLocal<v8::Value> Call(v8::Local<v8::Context> context, Hook hook, int count, v8::Local<v8::Value>* arguments);
  static v8::MaybeLocal<v8::Value> PrepareStack(v8::Local<v8::Context> context, v8::Local<v8::Value> error,
                                                v8::Local<v8::Array> sites);
  v8::Local<v8::Map> Calls(v8::Local<v8::Context> context) const;

  const Host& host_;
  const JitSwitch& jit_;
  const Parts& parts_;
  Wire* wire_;
  const RunRequest& request_;
  MemoryLimit memory_;
  v8::Isolate* isolate_ = nullptr;
  double started_;
  size_t output_ = 0;
  uint32_t last_call_ = 0;
  uint32_t pending_ = 0;
  std::deque<Frame> early_replies_;  // arrived while a synchronous call waited for its own
  std::vector<v8::Global<v8::Promise>> rejections_;
  bool keep_parts_ = false;
  std::vector<std::pair<std::string, v8::Global<v8::UnboundScript>>> loaded_parts_;
};

double Now();  // monotonic, in milliseconds

// The caller's to delete[]; no data where V8 made none.
v8::StartupData CreateBlob(v8::SnapshotCreator* creator);

}  // namespace cay

#endif  // CAY_RUN_H_
