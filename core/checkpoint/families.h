// What a family is in a checkpoint: how its config.json spells the settings,
// and which tensor holds which parameter. A family is one file (gpt2.cc is a
// good first) and one line in families.cc. Read next: checkpoint_loader.h.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_FAMILIES_H_
#define ATTNSCOPE_CORE_CHECKPOINT_FAMILIES_H_

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/checkpoint/settings.h"
#include "core/checkpoint/slot.h"
#include "core/model/config.h"
#include "core/model/parameters.h"

namespace attnscope {

// Far above every model that fits in a browser. They keep each size and each
// sum of a few of them inside a 32-bit Index; products of sizes are checked
// before memory is taken.
inline constexpr Index kMostVocabulary = Index{1} << 22;
inline constexpr Index kMostWidth = Index{1} << 20;  // model, MLP
inline constexpr Index kMostLayers = Index{1} << 10;
inline constexpr Index kMostHeads = Index{1} << 10;
inline constexpr Index kMostHeadDim = Index{1} << 12;
inline constexpr Index kMostContext = Index{1} << 24;

// The slots of a model, in the order of the computation. Names end before
// ".weight" and ".bias".
class SlotList {
 public:
  std::vector<Slot> slots;

  // A weight [rows, columns] kept as it is.
  void table(const std::string& name, Index rows, Index columns,
             FloatBuffer& to);
  // A weight [vocabulary, model_dim].
  void embedding(const std::string& name, const ModelConfig& config,
                 PackedMatrix& to);
  // A gain of that length, on its own. Files from before 2020 spell a gain
  // ".gamma" and a norm's bias ".beta"; these are known for every family.
  void gain(const std::string& name, Index length, FloatBuffer& to);
  // Gain and, unless RMSNorm, bias.
  void norm(const std::string& name, const ModelConfig& config, Norm& to);
  // A weight [outputs, inputs] and perhaps a bias [outputs].
  void linear(const std::string& name, Index outputs, Index inputs, bool bias,
              Projection& to);
  // A bias without a matrix beside it.
  void bias(const std::string& tensor, std::vector<std::uint64_t> shape,
            FloatBuffer& to);
  // The slots from number `first` on may be missing, all together.
  void make_optional(std::size_t first);
  // A weight [vocabulary, model_dim] unless it is tied to the embedding.
  void output(const std::string& name, const ModelConfig& config,
              Projection& to);
  // Several projections in one tensor, each [inputs, outputs], taking turns
  // every `group` outputs (slot.h). The weight's layout is the family's.
  void fused(const std::string& name, Layout layout, Index outputs,
             Index inputs, Index group, bool bias,
             std::initializer_list<Projection*> to);

 private:
  void vector(const std::string& name, const std::string& old_name,
              Index length, FloatBuffer& to);
};

struct Family {
  const char* model_type;
  // Files of the bare model lack this prefix of the names that files of the
  // model with its output layer have.
  const char* prefix;
  // The output projection's weight. Ignored in the file where it is tied.
  const char* output_name;
  // Ends of names of tensors that older files hold though nobody learned them:
  // causal masks and rotary frequencies.
  std::vector<const char*> ignored;
  // vocabulary_size and model_type are read already.
  void (*read_config)(Settings& settings, ModelConfig& config);
  // The stacks' blocks have their number. Slots name tensors with the prefix.
  void (*list_slots)(const ModelConfig& config, ModelParameters& parameters,
                     SlotList& list);
  // Turns what is stored into what parameters.h means, where that differs.
  // Null for most.
  void (*finish)(ModelParameters& parameters) = nullptr;
};

extern const Family kGpt2;
extern const Family kGptNeox;
extern const Family kGptNeo;
extern const Family kOpt;
extern const Family kBloom;
extern const Family kLlama;
extern const Family kMistral;
extern const Family kQwen2;
extern const Family kQwen3;
extern const Family kGemma3;
extern const Family kBert;
extern const Family kRoberta;
extern const Family kXlmRoberta;
extern const Family kCamembert;
extern const Family kDistilBert;
extern const Family kT5;
extern const Family kBart;
extern const Family kMBart;
extern const Family kMarian;
extern const Family kM2M100;

// Null if unknown.
const Family* find_family(std::string_view model_type);
// For messages: "gpt2, gpt_neox, llama".
std::string family_names();

// ---- What several families' read_config share ----

// n as a float32: 1 / sqrt(n).
float inverse_sqrt(double n);
// 1 / sqrt(head_dim)
float usual_attention_scale(Index head_dim);
// model_dim / num_query_heads, a fault where it is not whole.
Index usual_head_dim(const ModelConfig& config, Settings& settings);
// bos_token_id and eos_token_id. A fallback of -1 means none.
void read_tokens(Settings& settings, Index begin_fallback, Index end_fallback,
                 ModelConfig& config);
// Rotary positions of `dim` dimensions, from the members of the objects of
// these names (of which at most one may be there) and the base's further
// spellings. Refuses kinds of scaling that are not implemented.
RotarySettings read_rotary(Settings& settings,
                           const std::vector<std::string>& objects,
                           const std::vector<std::string>& base_names,
                           double base_fallback, const ModelConfig& config);
// The tokens that an encoder-decoder's text begins with: the start token, and
// a forced one where the settings have it. A fallback of -1 means none.
void read_start_tokens(Settings& settings, Index fallback, ModelConfig& config);
// The object names that most families use.
std::vector<std::string> rotary_objects();
// The part of a head that turns, in every spelling.
double read_rotary_part(Settings& settings, double fallback);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_FAMILIES_H_
