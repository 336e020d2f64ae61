// The header of safetensors files: what is right is read, and every way in
// which one can be wrong is refused with the code that says so.
#include "core/checkpoint/safetensors.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/checkpoint/elements.h"
#include "tests/core/checkpoint_files.h"

namespace attnscope {
namespace {

Result<SafetensorsHeader> parse(const std::string& json) {
  return parse_safetensors_header(
      {reinterpret_cast<const std::uint8_t*>(json.data()), json.size()});
}

std::string entry(const std::string& name, const std::string& dtype,
                  const std::string& shape, const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

void expect_refused(const std::string& json, StatusCode code,
                    const std::string& part_of_message) {
  const auto header = parse(json);
  ASSERT_FALSE(header.ok()) << json;
  EXPECT_EQ(header.status().code(), code)
      << json << ": " << header.status().message();
  EXPECT_NE(header.status().message().find(part_of_message), std::string::npos)
      << json << ": " << header.status().message();
}

TEST(Safetensors, ReadsTensorsInTheOrderOfTheFile) {
  const auto header = parse("{\"__metadata__\":{\"format\":\"pt\"}," +
                            entry("second", "F16", "[3,2]", "[8,20]") + "," +
                            entry("first", "F32", "[2]", "[0,8]") + "," +
                            entry("empty", "I64", "[0,5]", "[8,8]") + "," +
                            entry("scalar", "BF16", "[]", "[20,22]") + "}   ");
  ASSERT_TRUE(header.ok()) << header.status().message();
  const auto& tensors = header.value().tensors;
  ASSERT_EQ(tensors.size(), 4u);
  EXPECT_EQ(tensors[0].name, "first");
  EXPECT_EQ(tensors[1].name, "empty");
  EXPECT_EQ(tensors[2].name, "second");
  EXPECT_EQ(tensors[3].name, "scalar");
  EXPECT_EQ(tensors[0].dtype, Dtype::kFloat32);
  EXPECT_EQ(tensors[1].dtype, Dtype::kOther);
  EXPECT_EQ(tensors[1].dtype_name, "I64");
  EXPECT_EQ(tensors[2].dtype, Dtype::kFloat16);
  EXPECT_EQ(tensors[2].shape, (std::vector<std::uint64_t>{3, 2}));
  EXPECT_EQ(tensors[2].begin, 8u);
  EXPECT_EQ(tensors[2].end, 20u);
  EXPECT_EQ(tensors[3].dtype, Dtype::kBFloat16);
  EXPECT_TRUE(tensors[3].shape.empty());
  EXPECT_EQ(header.value().data_bytes, 22u);
}

TEST(Safetensors, FileWithoutTensorsIsEmpty) {
  const auto header = parse("{}");
  ASSERT_TRUE(header.ok());
  EXPECT_TRUE(header.value().tensors.empty());
  EXPECT_EQ(header.value().data_bytes, 0u);
}

TEST(Safetensors, KnowsTheSizeOfEveryElementType) {
  const std::vector<std::pair<std::string, int>> bits = {
      {"F64", 64},    {"F32", 32},    {"F16", 16},    {"BF16", 16},
      {"I64", 64},    {"I32", 32},    {"I16", 16},    {"I8", 8},
      {"U64", 64},    {"U32", 32},    {"U16", 16},    {"U8", 8},
      {"BOOL", 8},    {"F8_E4M3", 8}, {"F8_E5M2", 8}, {"F8_E8M0", 8},
      {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4},      {"C64", 64}};
  for (const auto& [dtype, size] : bits) {
    const int bytes = 4 * size / 8;  // of four elements
    EXPECT_TRUE(
        parse("{" +
              entry("t", dtype, "[4]", "[0," + std::to_string(bytes) + "]") +
              "}")
            .ok())
        << dtype;
    expect_refused(
        "{" +
            entry("t", dtype, "[4]", "[0," + std::to_string(bytes + 1) + "]") +
            "}",
        StatusCode::kCorruptHeader, "'t'");
    expect_refused(
        "{" +
            entry("t", dtype, "[4]", "[0," + std::to_string(bytes - 1) + "]") +
            "}",
        StatusCode::kCorruptHeader, "'t'");
  }
  // An odd number of half bytes.
  expect_refused("{" + entry("t", "F4", "[3]", "[0,2]") + "}",
                 StatusCode::kCorruptHeader, "F4");
}

TEST(Safetensors, RefusesWhatIsNotAHeader) {
  for (const std::string json :
       {"", " {}", "[]", "null", "<!DOCTYPE html>", "{", "{\"a\":", "{}x",
        "{}{}", "{\"a\":NaN}", "{'a':1}", "{\"\xff\":1}", "{\"a\":1e999}"})
    expect_refused(json, StatusCode::kNotSafetensors, "safetensors");
}

TEST(Safetensors, RefusesEntriesOfTheWrongForm) {
  const auto refused = [](const std::string& json, const std::string& part) {
    expect_refused(json, StatusCode::kCorruptHeader, part);
  };
  const std::string shape = "\"shape\":[1]", dtype = "\"dtype\":\"F32\"",
                    offsets = "\"data_offsets\":[0,4]";
  const auto tensor = [](const std::string& a, const std::string& b,
                         const std::string& c) {
    return "{\"t\":{" + a + "," + b + "," + c + "}}";
  };
  ASSERT_TRUE(parse(tensor(shape, dtype, offsets)).ok());
  refused("{\"t\":1}", "'t'");
  refused("{\"t\":null}", "'t'");
  refused("{\"t\":[]}", "'t'");
  refused("{\"t\":\"F32\"}", "'t'");
  refused("{\"t\":{}}", "dtype");
  refused("{\"t\":{" + shape + "," + offsets + "}}", "dtype");
  refused("{\"t\":{" + dtype + "," + offsets + "}}", "shape");
  refused("{\"t\":{" + dtype + "," + shape + "}}", "data_offsets");
  refused(tensor(shape, "\"dtype\":5", offsets), "'t'");
  refused(tensor(shape, "\"dtype\":true", offsets), "'t'");
  refused(tensor(shape, "\"dtype\":{}", offsets), "'t'");
  refused(tensor("\"shape\":4", dtype, offsets), "'t'");
  refused(tensor("\"shape\":[[1]]", dtype, offsets), "'t'");
  refused(tensor("\"shape\":[-1]", dtype, offsets), "-1");
  refused(tensor("\"shape\":[1.0]", dtype, offsets), "1.0");
  refused(tensor("\"shape\":[\"1\"]", dtype, offsets), "'t'");
  refused(tensor(shape, dtype, "\"data_offsets\":[0]"), "two numbers");
  refused(tensor(shape, dtype, "\"data_offsets\":[0,4,4]"), "two numbers");
  refused(tensor(shape, dtype, "\"data_offsets\":[0,18446744073709551616]"),
          "18446744073709551616");
  refused("{\"t\":{" + shape + "," + dtype + "," + offsets + ",\"more\":1}}",
          "'t'");
  // A field twice, a name twice.
  refused("{\"t\":{" + shape + "," + shape + "," + dtype + "," + offsets + "}}",
          "two shapes");
  refused("{\"t\":{" + dtype + "," + shape + "," + dtype + "," + offsets + "}}",
          "two dtypes");
  refused("{" + entry("t", "F32", "[1]", "[0,4]") + "," +
              entry("t", "F32", "[1]", "[4,8]") + "}",
          "'t': is there twice");
  refused("{\"__metadata__\":5}", "__metadata__");
  refused("{\"__metadata__\":{\"a\":5}}", "__metadata__");
  refused("{\"__metadata__\":{},\"__metadata__\":{}}", "twice");
}

TEST(Safetensors, RefusesLyingSizesAndOffsets) {
  const auto refused = [](const std::string& entries, const std::string& part) {
    expect_refused("{" + entries + "}", StatusCode::kCorruptHeader, part);
  };
  refused(entry("t", "F32", "[2]", "[0,4]"), "[2]");
  refused(entry("t", "F32", "[1]", "[4,0]"), "before it begins");
  refused(entry("t", "F32", "[1]", "[4,8]"), "gap");
  refused(entry("a", "F32", "[1]", "[0,4]") + "," +
              entry("b", "F32", "[1]", "[8,12]"),
          "'b': leaves a gap");
  refused(entry("a", "F32", "[2]", "[0,8]") + "," +
              entry("b", "F32", "[1]", "[4,8]"),
          "'b': overlaps");
  refused(entry("a", "F32", "[2]", "[0,8]") + "," +
              entry("b", "F32", "[2]", "[0,8]"),
          "overlaps");
  // Products that wrap around to the size given.
  refused(entry("t", "U8", "[4294967296,4294967296]", "[0,0]"), "overflows");
  refused(entry("t", "F32", "[4611686018427387905]", "[0,4]"), "overflows");
  refused(entry("t", "F32", "[18446744073709551615]", "[0,4]"), "overflows");
  // A zero size hides no overflow, but the other sizes do no harm with it.
  EXPECT_TRUE(parse("{" +
                    entry("t", "F32", "[18446744073709551615,0,9]", "[0,0]") +
                    "}")
                  .ok());
}

TEST(Safetensors, RefusesElementTypesThatTheFormatLacks) {
  expect_refused("{" + entry("t", "F33", "[1]", "[0,4]") + "}",
                 StatusCode::kUnsupportedDtype, "'F33'");
  expect_refused("{" + entry("t", "", "[1]", "[0,4]") + "}",
                 StatusCode::kUnsupportedDtype, "'t'");
}

TEST(Safetensors, DeepNestingIsRefusedAtOnce) {
  const std::string deep(5'000'000, '[');
  expect_refused("{\"t\":" + deep, StatusCode::kCorruptHeader, "'t'");
  expect_refused("{\"t\":{\"shape\":" + deep, StatusCode::kCorruptHeader,
                 "'t'");
}

TEST(Safetensors, MessagesStayShortAndValidUtf8) {
  std::string name;
  for (int i = 0; i < 100'000; ++i) name += "é";
  for (const std::string prefix : {"", "x"}) {
    const auto header =
        parse("{" + entry(prefix + name, "F32", "[2]", "[0,4]") + "}");
    ASSERT_FALSE(header.ok());
    const std::string message = header.status().message();
    EXPECT_LT(message.size(), 400u);
    const std::size_t end = message.find("...");
    ASSERT_NE(end, std::string::npos);
    EXPECT_EQ(message.substr(end - 2, 2), "é");
  }
}

TEST(Safetensors, HeaderLengthIsLittleEndianAndBounded) {
  using Eight = std::array<std::uint8_t, 8>;
  const auto length = [](const Eight& bytes) {
    return read_header_length(bytes);
  };
  ASSERT_TRUE(length({0x34, 0x12, 0, 0, 0, 0, 0, 0}).ok());
  EXPECT_EQ(length({0x34, 0x12, 0, 0, 0, 0, 0, 0}).value(), 0x1234u);
  EXPECT_EQ(length({0x00, 0xE1, 0xF5, 0x05, 0, 0, 0, 0}).value(),
            kMostHeaderBytes);
  for (const Eight& bytes :
       {Eight{}, Eight{0x01, 0xE1, 0xF5, 0x05, 0, 0, 0, 0},
        Eight{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
        Eight{2, 0, 0, 0, 0, 0, 0, 1}}) {
    ASSERT_FALSE(length(bytes).ok());
    EXPECT_EQ(length(bytes).status().code(), StatusCode::kNotSafetensors);
  }
  // A web page in the file's place shows itself.
  const auto page = length({'<', '!', 'D', 'O', 'C', 'T', 'Y', 'P'});
  EXPECT_NE(page.status().message().find("<!DOCTYP"), std::string::npos);
}

// ---- Elements ----

float convert_one(Dtype dtype, std::uint32_t bits) {
  std::array<std::uint8_t, 4> bytes;
  for (std::size_t i = 0; i < 4; ++i)
    bytes[i] = static_cast<std::uint8_t>(bits >> (8 * i));
  float number = 0;
  EXPECT_TRUE(
      convert_elements(bytes.data(), dtype, 1, Storage::kFloat32, &number, 1));
  return number;
}

TEST(Elements, EveryFloat16HasItsExactValue) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float number = convert_one(Dtype::kFloat16, bits);
    const int exponent = static_cast<int>(bits >> 10 & 0x1F);
    const int fraction = static_cast<int>(bits & 0x3FF);
    EXPECT_EQ(std::signbit(number), (bits & 0x8000) != 0) << bits;
    if (exponent == 31) {
      EXPECT_EQ(std::isnan(number), fraction != 0) << bits;
      EXPECT_EQ(std::isinf(number), fraction == 0) << bits;
      continue;
    }
    const double magnitude = exponent == 0
                                 ? std::ldexp(fraction, -24)
                                 : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(std::abs(static_cast<double>(number)), magnitude) << bits;
  }
}

TEST(Elements, EveryBFloat16IsTheUpperHalfOfAFloat32) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(convert_one(Dtype::kBFloat16, bits)),
              bits << 16);
}

TEST(Elements, Float32IsCopiedAtAnyAlignmentAndStride) {
  const std::vector<float> numbers = {1.5f, -0.0f, 1e-45f, 3e38f, -7};
  for (std::size_t shift = 0; shift < 4; ++shift) {
    Bytes bytes(shift);
    for (const std::uint8_t byte : float_bytes(numbers)) bytes.push_back(byte);
    std::vector<float> output(16, -1);
    EXPECT_TRUE(convert_elements(bytes.data() + shift, Dtype::kFloat32, 5,
                                 Storage::kFloat32, output.data(), 3));
    for (std::size_t i = 0; i < output.size(); ++i)
      EXPECT_EQ(std::bit_cast<std::uint32_t>(output[i]),
                std::bit_cast<std::uint32_t>(
                    i % 3 == 0 && i < 15 ? numbers[i / 3] : -1.0f));
  }
}

}  // namespace
}  // namespace attnscope
