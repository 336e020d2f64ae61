// The native engine behind scripts/inspect: runs a checkpoint folder on token
// ids and writes every array as a .npy file. Text, tokenization and .npz are
// left to ../inspect/. Read next: ../inspect/native-engine.mjs.
//
//   attnscope_run FOLDER --ids 1,2,3 --out FOLDER [--attention-mask 1,1,0]
//                 [--token-types 0,0,1] [--greedy N] [--tensors NAME,...|all]
//                 [--decoder-ids 0,4] [--storage KIND]
//
// ATTNSCOPE_VARIANT in the environment chooses the kernels by name.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/generate/sampler.h"
#include "core/generate/session.h"
#include "scripts/lib/attnscope_run/command.h"
#include "scripts/lib/attnscope_run/files.h"

namespace attnscope {
namespace {

// What the command means for a model.
struct Job {
  std::shared_ptr<const Model> model;
  Prompt prompt;  // views of the command's ids and of `text`
  Ids text;       // what the last stack reads
  RunOptions options;
};

void check_length(std::size_t length, const ModelConfig& config,
                  const char* what) {
  const auto context = static_cast<std::size_t>(config.context);
  if (length <= context) return;
  check({StatusCode::kCapacityReached,
         "the " + std::string(what) + " has " + std::to_string(length) +
             " tokens, the model's context holds " + std::to_string(context)});
}

// The decoder's text: what the command gives, or where every text starts.
Ids decoder_text(const Command& command, const ModelConfig& config) {
  if (command.decoder_ids) return *command.decoder_ids;
  if (config.start_tokens.empty()) {
    check({StatusCode::kInvalidArgument,
           "config.json names no decoder_start_token_id: --decoder-ids must "
           "say what the text starts with"});
  }
  return {config.start_tokens.begin(), config.start_tokens.end()};
}

Job make_job(const Command& command) {
  Job job;
  job.model = load_model(command.folder, command.storage);
  const ModelConfig& config = job.model->config;
  if (command.decoder_ids && !config.has_encoder()) {
    check({StatusCode::kInvalidArgument,
           "a " + config.model_type +
               " model has no encoder and takes no --decoder-ids"});
  }
  job.text = config.has_encoder() ? decoder_text(command, config) : command.ids;
  check_length(job.text.size(), config, "text");
  if (config.has_encoder()) {
    check_length(command.ids.size(), config, "source");
    job.prompt.source = command.ids;
  }
  job.prompt.token_types = command.token_types;

  const Mask padding =
      command.hidden.empty() ? Mask::none() : Mask::padding(command.hidden);
  switch (config.architecture) {
    case Architecture::kDecoder:
      job.options.mask = Mask::causal() & padding;
      break;
    case Architecture::kEncoder:
      job.options.mask = padding;
      break;
    case Architecture::kEncoderDecoder:
      job.options.source_mask = padding;
      break;
  }
  return job;
}

Session make_session(const Job& job, Index text_room) {
  // An empty text is refused by the prefill, by its name.
  const bool has_source = job.model->config.has_encoder();
  const auto source = static_cast<Index>(job.prompt.source.size());
  return unwrap(
      Session::make(job.model, {std::max<Index>(text_room, 1),
                                has_source ? std::max<Index>(source, 1) : 0}));
}

std::vector<std::string> tensors_to_write(const Command& command,
                                          const ModelConfig& config) {
  if (command.tensors != std::vector<std::string>{"all"}) {
    return command.tensors;
  }
  std::vector<std::string> names;
  for (const TensorId id : all_tensors(config)) {
    names.push_back(tensor_name(id, config));
  }
  return names;
}

struct NamedTensor {
  std::string name;  // of the array
  TensorId id;
};

std::vector<NamedTensor> attentions_of(const ModelConfig& config) {
  const bool has_encoder = config.has_encoder();
  std::vector<NamedTensor> attentions;
  const auto add = [&](AttentionPart part, const std::string& name) {
    for (Index layer = 0; layer < num_layers_of(config, part); ++layer) {
      attentions.push_back(
          {name + "." + std::to_string(layer), weights_of(part, layer)});
    }
  };
  add(AttentionPart::kEncoder, "encoder_attentions");
  add(AttentionPart::kSelf, has_encoder ? "decoder_attentions" : "attentions");
  add(AttentionPart::kCross, "cross_attentions");
  return attentions;
}

void write_prompt(const Command& command, Job job, const Output& output) {
  const ModelConfig& config = job.model->config;
  std::vector<NamedTensor> tensors = attentions_of(config);
  for (const auto& name : tensors_to_write(command, config)) {
    tensors.push_back({name, unwrap(parse_tensor_name(name, config))});
  }
  job.options.execution = Execution::kTraced;
  job.options.all_logits = true;
  for (const NamedTensor& tensor : tensors) {
    job.options.record.push_back(tensor.id);
  }
  const auto length = static_cast<Index>(job.text.size());
  Session session = make_session(job, length);
  job.prompt.tokens = job.text;
  check(session.prefill(job.prompt, std::move(job.options)));

  output.write("ids", command.ids);
  if (config.has_encoder()) output.write("decoder_ids", job.text);
  if (config.has_logits) {
    output.write("logits", {length, config.vocabulary_size}, session.logits());
  }
  for (const NamedTensor& wanted : tensors) {
    const Tensor tensor = unwrap(session.trace().tensor(wanted.id));
    output.write(wanted.name, tensor.shape,
                 {tensor.data.data(), tensor.data.size()});
  }
}

// The text and `greedy` tokens more, each the likeliest; an end token does not
// end it.
void write_continuation(const Command& command, Job job, const Output& output) {
  const Model& model = *job.model;
  const auto length = static_cast<Index>(job.text.size());
  Session session = make_session(job, length + command.greedy);
  job.prompt.tokens = job.text;
  check(session.prefill(job.prompt, std::move(job.options)));
  auto sampler =
      unwrap(Sampler::make({}, *model.kernels, model.config.vocabulary_size));
  Ids text = job.text;
  for (Index i = 0; i < command.greedy; ++i) {
    text.push_back(
        static_cast<std::int32_t>(sampler.sample(session.last_logits())));
    // The last token's own logits are not needed.
    if (i + 1 < command.greedy) check(session.decode_step(text.back()));
  }
  output.write("greedy", text);
}

void run(const Command& command) {
  const Job job = make_job(command);
  const ModelConfig& config = job.model->config;
  if (command.greedy > 0 && config.architecture == Architecture::kEncoder) {
    check({StatusCode::kInvalidArgument,
           "a " + config.model_type +
               " model reads a whole text and does not continue it"});
  }
  const Output output(command.output);
  write_prompt(command, job, output);
  if (command.greedy > 0) write_continuation(command, job, output);
}

}  // namespace
}  // namespace attnscope

int main(int count, char** arguments) {
  attnscope::run(attnscope::parse_command(count, arguments));
}
