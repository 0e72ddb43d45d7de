// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <tilewright/bytecode/reader.hpp>
#include <tilewright/bytecode/writer.hpp>

#include "bytecode/attribute_reader.hpp"
#include "bytecode/body_reader.hpp"
#include "bytecode/debug_reader.hpp"
#include "bytecode/type_reader.hpp"

namespace tw::inline v0::bytecode {
namespace {

using namespace ir;

constexpr std::size_t header_size = 12;
/// The major version of private builds, whose files never leave the tools' own tests.
constexpr std::uint8_t test_major = 250;
constexpr std::uint64_t preview_bit = 1;

Version checked_version(ByteReader& in) {
  if (!is_bytecode(in.bytes(std::min(magic.size(), in.remaining())))) {
    in.fail("this is no Tile IR bytecode");
  }
  const Version version{in.byte(), in.byte()};
  const auto tag = in.fixed(2);
  if (version.major_number == test_major) in.fail("the file is of a version for tests only");
  if (std::ranges::find(versions(), version) == versions().end()) {
    in.fail(fmt::format("there is no bytecode version {}", to_string(version)));
  }
  if ((tag & preview_bit) != 0) in.fail("the file uses preview features");
  if (tag != 0) in.fail(fmt::format("the version has the tag {:#x}", tag));
  return version;
}

using Sections = std::array<std::optional<ByteReader>, section_count>;

/// One section after another, up to the end of the file.
class SectionScanner {
 public:
  explicit SectionScanner(ByteReader in) : in_(in) {}

  Sections scan() {
    while (true) {
      const std::uint8_t head = in_.byte();
      const auto id = static_cast<std::uint8_t>(head & ~aligned_bit);
      if (id >= section_count) in_.fail(fmt::format("there is no section {}", id));
      if (head == code(SectionId::end)) break;
      section(id, (head & aligned_bit) != 0);
    }
    if (!in_.at_end()) in_.fail(fmt::format("{} bytes follow the end", in_.remaining()));
    return sections_;
  }

 private:
  void section(std::uint8_t id, bool aligned) {
    const std::uint64_t size = in_.varint();
    const std::uint8_t alignment = section_alignment[id];
    if (aligned) {
      const std::uint64_t said = in_.varint();
      if (!std::has_single_bit(said) || said % alignment != 0 || said > in_.remaining()) {
        in_.fail(fmt::format("section {} has alignment {}", id, said));
      }
      in_.align_in_file(static_cast<std::size_t>(said));
    } else if (alignment > 1) {
      in_.fail(fmt::format("section {} is not aligned", id));
    }
    if (size > in_.remaining()) in_.fail(fmt::format("section {} has {} bytes", id, size));
    if (sections_[id] && !in_.context().lenient) {
      in_.fail(fmt::format("section {} is there twice", id));
    }
    sections_[id] = in_.part(static_cast<std::size_t>(size));
  }

  ByteReader in_;
  Sections sections_;
};

/// Puts a module together from its sections.
class ModuleReader {
 public:
  ModuleReader(Sections sections, ReadContext& context, ByteReader file)
      : sections_(std::move(sections)),
        context_(context),
        end_(file),
        types_(table(SectionId::types, 4, "type"), context),
        attributes_(table(SectionId::strings, 4, "string"),
                    table(SectionId::constants, 8, "constant"), types_, context),
        debug_(section(SectionId::debug), attributes_, module_.locations, context) {}

  Module read() {
    if (!section(SectionId::strings)) end_.fail("there is no section of strings");
    if (!section(SectionId::functions)) end_.fail("there is no section of functions");
    if (auto in = section(SectionId::producer)) producer(*in);
    if (auto in = section(SectionId::globals)) globals(*in);
    functions(*section(SectionId::functions));
    return std::move(module_);
  }

 private:
  std::optional<ByteReader>& section(SectionId id) {
    return sections_[static_cast<std::size_t>(id)];
  }

  EntryTable table(SectionId id, std::size_t offset_width, const char* what) {
    std::optional<ByteReader>& in = section(id);
    return in ? EntryTable(*in, offset_width, what) : EntryTable();
  }

  void producer(ByteReader in) {
    in.expect_version(v13_3, "a producer");
    module_.producer = attributes_.string(in);
    in.expect_end("the section of the producer");
  }

  void globals(ByteReader in) {
    const std::size_t count = in.count(4);
    for (std::size_t i = 0; i < count; ++i) {
      context_.charge(2 * sizeof(Global), in.offset());
      Global global;
      global.name = attributes_.string(in);
      global.type = types_.type(in);
      global.value = attributes_.constant(in, global.type);
      global.alignment = in.varint();
      if (context_.version >= v13_3) {
        global.visibility = in.boolean() ? Visibility::private_ : Visibility::public_;
        global.constant = in.boolean();
      }
      module_.globals.push_back(std::move(global));
    }
    in.expect_end("the section of globals");
  }

  void functions(ByteReader in) {
    const std::size_t count = in.count(4);
    for (std::size_t i = 0; i < count; ++i) {
      context_.charge(2 * sizeof(Function), in.offset());
      module_.functions.push_back(function(in));
    }
    if (!in.at_end()) in.align(8);  // not every writer pads the section
    in.expect_end("the section of functions");
  }

  Function function(ByteReader& in) {
    Function function{.name = attributes_.string(in)};
    const FunctionType& signature = types_.signature(in);
    const std::uint8_t flags = in.byte();
    check_flags(flags, in);
    if (!signature.results.empty()) in.fail("an entry has results");
    if ((flags & function_flag::is_private) != 0) function.visibility = Visibility::private_;

    DebugReader::Places places = debug_.function(in);
    function.location = places.own();
    hints(function, flags, in);
    context_.charge(signature.inputs.size() * (sizeof(Type) + sizeof(Value)), in.offset());
    for (const Type& each : signature.inputs) {
      function.body.arguments.push_back(function.fresh(each));
    }
    const std::uint64_t size = in.varint();
    if (size > in.remaining()) in.fail(fmt::format("a body has {} bytes", size));
    BodyReader(function, types_, attributes_, places, context_)
        .read(in.part(static_cast<std::size_t>(size)));
    places.finish();
    return function;
  }

  void check_flags(std::uint8_t flags, const ByteReader& in) const {
    const bool old = context_.version < v13_5;
    const unsigned known =
        function_flag::is_private | function_flag::is_entry | (old ? function_flag::has_hints : 0u);
    in.expect_no_bits(flags & ~known, "a function");
    if ((flags & function_flag::is_entry) == 0) {
      in.fail("a function is no entry: that is the preview feature simt");
    }
  }

  void hints(Function& function, std::uint8_t flags, ByteReader& in) {
    const bool always = context_.version >= v13_5;
    if (always || (flags & function_flag::has_hints) != 0) {
      AttributeReader::expect(in, AttributeTag::hints, "the hints of an entry");
      function.hints = attributes_.hints(in);
    }
    if (!always) return;
    AttributeReader::expect(in, AttributeTag::array, "the attributes of arguments");
    for (std::size_t left = in.count(2); left != 0; --left) {
      AttributeReader::expect(in, AttributeTag::dictionary, "the attributes of an argument");
      if (in.varint() != 0) in.fail("an argument has attributes, which are not supported");
    }
  }

  Sections sections_;
  ReadContext& context_;
  ByteReader end_;  ///< where errors about the whole file are
  Module module_;
  TypeReader types_;
  AttributeReader attributes_;
  DebugReader debug_;
};

}  // namespace

bool is_bytecode(std::span<const std::byte> file) {
  return std::ranges::equal(file.first(std::min(magic.size(), file.size())),
                            std::as_bytes(std::span(magic)));
}

Version read_version(std::span<const std::byte> file) {
  const ReadContext context({}, v13_1);
  ByteReader in(file, 0, std::min(file.size(), header_size), context);
  return checked_version(in);
}

Module read(std::span<const std::byte> file, const ReadOptions& options) {
  ReadContext context(options, read_version(file));
  const ByteReader body(file, header_size, file.size(), context);
  return ModuleReader(SectionScanner(body).scan(), context, body).read();
}

}  // namespace tw::inline v0::bytecode
