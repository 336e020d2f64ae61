// A checkpoint folder in, .npy files out. Read next: main.cc.
#ifndef ATTNSCOPE_SCRIPTS_LIB_ATTNSCOPE_RUN_FILES_H_
#define ATTNSCOPE_SCRIPTS_LIB_ATTNSCOPE_RUN_FILES_H_

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/model/model.h"
#include "scripts/lib/attnscope_run/command.h"

namespace attnscope {

// With the kernels that ATTNSCOPE_VARIANT in the environment names. Ends the
// program if that does not work.
std::shared_ptr<const Model> load_model(const std::filesystem::path& folder,
                                        Storage storage);

// Writes NAME.npy files. Every array has a leading axis of one text, [1, ...].
class Output {
 public:
  explicit Output(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void write(const std::string& name, const Ids& ids) const;
  void write(const std::string& name, std::vector<Index> shape,
             std::span<const float> values) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_SCRIPTS_LIB_ATTNSCOPE_RUN_FILES_H_
