/* Reads any bytes as an ELF file and unwinds a constructed stack through it. Bit 0 of the
 * first byte selects the machine. Then follow three registers of two bytes each, the
 * number of words of the stack in one byte, and the words of two bytes each. The rest is
 * the file. If bit 7 of the first byte is set, all other bytes are a perf map of a JIT
 * instead, and its names are demangled. The reader must not read past a buffer, and it
 * must end. Each symbol or function that is found must contain the requested address. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stacks/maps_private.h"
#include "stacks/names.h"
#include "stacks/names/demangle.h"
#include "stacks/names/perf_map.h"
#include "stacks/unwind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PID = 0x7ffffff0, JIT_AT = 0x900000, MAPPED_BYTES = 0x10000 };
static const uint64_t base = 0x400000, stack_at = 0x7ff000;

struct input {
    const uint8_t *at, *end;
};

static uint64_t read_number(struct input *input, size_t size)
{
    uint64_t number = 0;
    size_t rest = (size_t)(input->end - input->at);
    size = size < rest ? size : rest;
    memcpy(&number, input->at, size);
    input->at += size;
    return number;
}

/* Two bytes become an address of the file, of the stack or of a JIT, or a number. */
static uint64_t read_word(struct input *input)
{
    uint64_t word = read_number(input, 2);
    switch (word >> 14) {
    case 0:
        return base + word;
    case 1:
        return stack_at + (word & 0x3fff);
    case 2:
        return JIT_AT + (word & 0xfff);
    default:
        return word == 0xffff ? UINT64_MAX - 3 : word & 0xff;
    }
}

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_functions(struct dj_stacks_elf *elf, uint64_t address)
{
    struct dj_stacks_function function;
    if (dj_stacks_elf_find_symbol(elf, address, &function)) {
        check(function.start <= address && address < function.end);
        check(function.symbol[0] != '\0');
    }
    if (dj_stacks_elf_find_range(elf, address, &function)) {
        check(function.start <= address && address < function.end);
    }
}

static void add_mapping(struct dj_stacks_maps *maps, uint64_t start, const char *path)
{
    dj_stacks_maps_add(
        maps, &(struct dj_stacks_new_mapping){
                  .pid = PID, .start = start, .size = MAPPED_BYTES, .path = path});
}

static void unwind(struct dj_stacks_maps *maps, struct input *input, const uint8_t *stack,
                   size_t stack_size, enum dj_stacks_machine machine)
{
    static struct dj_stacks_stack result;
    uint64_t ip = read_word(input), fp = read_word(input), lr = read_word(input);
    const uint64_t x86_64[] = {fp, stack_at, ip}, arm64[] = {fp, lr, stack_at, ip};
    bool is_arm64 = machine == DJ_STACKS_ARM64;
    const struct dj_stacks_sample sample = {
        .machine = machine,
        .pid = PID,
        .register_mask = is_arm64 ? UINT64_C(0xf) << 29 : UINT64_C(7) << 6,
        .registers = is_arm64 ? arm64 : x86_64,
        .stack = stack,
        .stack_size = stack_size,
    };
    struct dj_stacks_unwinder *unwinder = dj_stacks_unwinder_create(maps);
    struct dj_stacks_names *names = dj_stacks_names_create(maps, NULL);
    dj_stacks_unwind(unwinder, &sample, &result);
    size_t count = result.count;
    bool is_complete = result.is_complete;
    dj_stacks_unwind(unwinder, &sample, &result);
    check(result.count == count && result.is_complete == is_complete);
    check(count > 0 && count <= DJ_STACKS_FRAMES_MAX);
    for (size_t i = 0; i < count && i < 32; i++) {
        const struct dj_stacks_frame *frame = &result.frames[i];
        check(dj_stacks_names_find(names, frame->mapping,
                                   dj_stacks_frame_code_address(frame))
                  ->text[0] != '\0');
    }
    dj_stacks_names_destroy(names);
    dj_stacks_unwinder_destroy(unwinder);
}

static void check_perf_map(const struct input *input)
{
    struct dj_perf_map map;
    size_t length = (size_t)(input->end - input->at);
    char *text = malloc(length + 1);
    check(text != NULL);
    memcpy(text, input->at, length);
    text[length] = '\0';
    dj_perf_map_parse(&map, text, length);
    for (size_t i = 0; i < map.count; i++) {
        const struct dj_perf_map_row *row = dj_perf_map_find(&map, map.rows[i].start);
        check(row == NULL || (row->start <= map.rows[i].start && row->name[0] != '\0'));
        char *name = dj_names_demangle(map.rows[i].name);
        check(name == NULL || strlen(name) <= 32 * strlen(map.rows[i].name));
        free(name);
    }
    dj_perf_map_finish(&map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, data + size};
    struct dj_stacks_elf *elf;
    uint64_t flags = read_number(&input, 1);
    if ((flags & 0x80) != 0) {
        check_perf_map(&input);
        return 0;
    }
    struct input registers = input;
    read_number(&input, 6);
    size_t words = (size_t)read_number(&input, 1);
    uint64_t *stack = calloc(words + 1, sizeof(*stack));
    check(stack != NULL);
    for (size_t i = 0; i < words; i++) {
        stack[i] = read_word(&input);
    }
    if (dj_stacks_elf_open_bytes(input.at, (size_t)(input.end - input.at), &elf, NULL) ==
        0) {
        struct dj_stacks_maps *maps = dj_stacks_maps_create();
        add_mapping(maps, base, "/made");
        add_mapping(maps, JIT_AT, "//anon");
        maps->modules[0].elf = elf;
        maps->modules[0].was_opened = true;
        for (uint64_t address = 0x200; address < 0x500; address += 0x40) {
            check_functions(elf, address);
        }
        unwind(maps, &registers, (const uint8_t *)stack, words * sizeof(*stack),
               (flags & 1) != 0 ? DJ_STACKS_ARM64 : DJ_STACKS_X86_64);
        dj_stacks_maps_destroy(maps);
    }
    free(stack);
    return 0;
}
