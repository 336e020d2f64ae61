// From bytes to elements, from elements to their places.
#include "core/checkpoint/slot_writer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/bytes.h"
#include "core/checkpoint/elements.h"
#include "core/checkpoint/quote.h"

namespace attnscope {
namespace {

// Elements that have to be together before the first can be stored; 0 for those
// that go straight to their place.
std::uint64_t elements_together(const Slot& slot, Storage storage) {
  if (storage != Storage::kInt8 || slot.layout == Layout::kFlat) return 0;
  return slot.layout == Layout::kOutputFirst
             ? static_cast<std::uint64_t>(slot.inputs)
             : slot.num_elements();
}

}  // namespace

SlotWriter::SlotWriter(const std::vector<Slot>& slots, Index panel_width,
                       Storage storage)
    : panel_width_(panel_width), storage_(storage) {
  std::uint64_t most = 0;
  for (const Slot& slot : slots) {
    stored_bytes_ =
        add_bytes(stored_bytes_, slot.allocated_bytes(panel_width, storage));
    most = std::max(most, elements_together(slot, storage));
  }
  scratch_size_ = static_cast<Index>(most);
}

std::uint64_t SlotWriter::needed_bytes() const {
  return add_bytes(stored_bytes_, array_bytes({scratch_size_}, sizeof(float)));
}

Status SlotWriter::begin(const Slot& slot, Dtype dtype) {
  slot_ = &slot;
  dtype_ = dtype;
  element_ = 0;
  cut_bytes_ = 0;
  if (scratch_size_ > 0 && scratch_.empty()) {
    auto made =
        FloatBuffer::allocate(1, scratch_size_, "the matrix to quantize");
    if (!made.ok()) return made.status();
    scratch_ = std::move(made.value());
  }
  return slot.allocate(panel_width_, storage_);
}

Status SlotWriter::write(std::span<const std::uint8_t> bytes) {
  const std::size_t width = element_bytes(dtype_);
  if (cut_bytes_ > 0) {
    const std::size_t count = std::min(width - cut_bytes_, bytes.size());
    std::copy_n(bytes.begin(), count, cut_element_.begin() + cut_bytes_);
    bytes = bytes.subspan(count);
    cut_bytes_ += count;
    if (cut_bytes_ < width) return {};
    if (Status status = write_whole(cut_element_.data(), 1); !status.ok())
      return status;
  }
  const std::size_t whole = bytes.size() / width;
  const auto rest = bytes.subspan(whole * width);
  std::copy(rest.begin(), rest.end(), cut_element_.begin());
  cut_bytes_ = rest.size();
  return write_whole(bytes.data(), static_cast<Index>(whole));
}

Status SlotWriter::write_whole(const std::uint8_t* bytes, Index count) {
  const auto together = static_cast<Index>(elements_together(*slot_, storage_));
  while (count > 0) {
    const Index waiting = together == 0 ? 0 : element_ % together;
    const Slot::Run run =
        together == 0 ? slot_->run_at(element_)
                      : Slot::Run{scratch_.data() + waiting, Storage::kFloat32,
                                  1, together - waiting};
    const Index length = std::min(run.length, count);
    if (!convert_elements(bytes, dtype_, length, run.storage, run.first,
                          run.stride))
      return cannot_hold("a number too large");
    bytes += static_cast<std::size_t>(length) * element_bytes(dtype_);
    element_ += length;
    count -= length;
    if (together > 0 && waiting + length == together) {
      const Index outputs = together / slot_->inputs;
      const Index first = element_ / slot_->inputs - outputs;
      if (Status status = quantize(first, outputs); !status.ok()) return status;
    }
  }
  return {};
}

// What waits in the scratch, to int8.
Status SlotWriter::quantize(Index first_output, Index count) {
  const Index inputs = slot_->inputs;
  const Index stride = slot_->layout == Layout::kInputFirst ? count : 1;
  for (Index i = 0; i < count; ++i) {
    const float* values = scratch_.data() + i;
    float largest = 0;
    for (Index k = 0; k < inputs; ++k) {
      const float magnitude = std::fabs(values[k * stride]);
      if (!std::isfinite(magnitude)) return cannot_hold("a number not finite");
      largest = std::max(largest, magnitude);
    }
    const float scale = int8_scale(largest);
    const Slot::Place place = slot_->place_of(first_output + i);
    PackedMatrix& matrix = *slot_->matrices[place.part];
    matrix.scales()[static_cast<std::size_t>(place.column)] = scale;
    auto* stored = matrix.data<std::int8_t>();
    for (Index k = 0; k < inputs; ++k)
      stored[matrix.place(k, place.column)] =
          to_int8(values[k * stride], scale);
  }
  return {};
}

Status SlotWriter::cannot_hold(const std::string& what) const {
  return {StatusCode::kInvalidArgument,
          "tensor " + quote(slot_->name) + " has " + what + " for " +
              storage_name(storage_) + " storage"};
}

}  // namespace attnscope
