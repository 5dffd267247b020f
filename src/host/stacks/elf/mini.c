/* Reads .gnu_debugdata: a small ELF file, compressed with xz, with the symbols of
 * functions that .dynsym lacks. Fedora and its relatives add it to stripped files. */
#include <lzma.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "stacks/elf/file.h"

/* Maximum size of the unpacked file. Such files in Fedora have at most a few MB. */
static const size_t unpacked_max = 64 << 20;
static const uint64_t decoder_max = 128 << 20;

/* Unpacks bytes to new memory. Returns NULL if the bytes are damaged or the result is too
 * large. */
static uint8_t *unpack(const uint8_t *packed, size_t packed_size, size_t *size)
{
    uint8_t *bytes = NULL;
    size_t capacity = 0;
    lzma_stream stream = LZMA_STREAM_INIT;
    lzma_ret result = lzma_stream_decoder(&stream, decoder_max, 0);
    stream.next_in = packed;
    stream.avail_in = packed_size;
    while (result == LZMA_OK && stream.total_out < unpacked_max) {
        DJ_XRESERVE(bytes, capacity, (size_t)stream.total_out + (1 << 16));
        stream.next_out = bytes + stream.total_out;
        stream.avail_out = capacity - (size_t)stream.total_out;
        result = lzma_code(&stream, LZMA_FINISH);
    }
    *size = (size_t)stream.total_out;
    lzma_end(&stream);
    if (result != LZMA_STREAM_END) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

struct dj_stacks_elf *dj_elf_open_mini(const struct dj_stacks_elf *elf)
{
    const struct dj_elf_section *section = dj_elf_find_section(elf, ".gnu_debugdata");
    struct dj_stacks_elf *mini = NULL;
    size_t size;
    uint8_t *packed = section == NULL || elf->is_mini
                          ? NULL
                          : dj_elf_copy_file(elf, section->offset, section->size);
    uint8_t *bytes = packed == NULL ? NULL : unpack(packed, section->size, &size);
    if (bytes != NULL && dj_stacks_elf_open_bytes(bytes, size, &mini, NULL) == 0) {
        mini->is_mini = true;
    }
    free(packed);
    free(bytes);
    return mini;
}
