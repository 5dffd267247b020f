#include "capture/sampling/record.h"

#include <string.h>
#include <sys/sysmacros.h>

/* The part of a record that was not read yet. */
struct part {
    const uint8_t *at;
    size_t left;
};

/* Returns the body of a record. In a sample, it follows the struct dj_perf_id after the
 * header. In other records, it is between the header and the struct dj_perf_id at the
 * end. */
static struct part get_body(const struct dj_sampling_record *record)
{
    size_t head = sizeof(record->header), id = sizeof(record->id);
    size_t size = record->header.size;
    bool is_sample = record->header.type == PERF_RECORD_SAMPLE;
    return size < head + id ? (struct part){record->bytes, 0}
                            : (struct part){record->bytes + head + (is_sample ? id : 0),
                                            size - head - id};
}

/* Returns the next `size` bytes, or NULL if there are fewer. */
static const uint8_t *read_bytes(struct part *part, size_t size)
{
    const uint8_t *at = part->at;
    if (part->left < size) {
        return NULL;
    }
    part->at += size;
    part->left -= size;
    return at;
}

static bool read_number(struct part *part, void *number, size_t size)
{
    const uint8_t *at = read_bytes(part, size);
    if (at != NULL) {
        memcpy(number, at, size);
    }
    return at != NULL;
}

/* Reads a copied stack: its size, its bytes, and the number of bytes that were filled. */
static bool read_stack(struct part *part, struct dj_stacks_sample *stack)
{
    uint64_t size, filled;
    if (!read_number(part, &size, sizeof(size))) {
        return false;
    }
    if (size == 0) {
        return true;
    }
    stack->stack = size <= part->left ? read_bytes(part, (size_t)size) : NULL;
    if (stack->stack == NULL || !read_number(part, &filled, sizeof(filled))) {
        return false;
    }
    stack->stack_size = (size_t)(filled < size ? filled : size);
    return true;
}

bool dj_sampling_record_read(const struct dj_sampling_record *record,
                             struct dj_sample *sample)
{
    struct part part = get_body(record);
    uint64_t abi;
    *sample = (struct dj_sample){
        .in_kernel = (record->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
                     PERF_RECORD_MISC_KERNEL,
        .stack = {.machine = DJ_STACKS_THIS_MACHINE,
                  .pid = (pid_t)record->id.pid,
                  .register_mask = DJ_STACKS_REGISTERS,
                  .stack = ""}};
    if (!read_number(&part, &abi, sizeof(abi))) {
        return false;
    }
    if (abi != PERF_SAMPLE_REGS_ABI_NONE) {
        size_t count = (size_t)__builtin_popcountll(DJ_STACKS_REGISTERS);
        const uint8_t *registers = read_bytes(&part, count * sizeof(uint64_t));
        if (registers == NULL) {
            return false;
        }
        sample->has_registers = abi == PERF_SAMPLE_REGS_ABI_64;
        sample->stack.registers = sample->has_registers ? registers : NULL;
    }
    return read_stack(&part, &sample->stack);
}

/* The first fields in the body of PERF_RECORD_MMAP2. The file name follows them. */
struct mapping_body {
    uint32_t pid, tid;
    uint64_t start, size, file_offset;
    uint32_t major, minor; /* Device numbers of the file. */
    uint64_t inode, generation;
    uint32_t protection, flags;
};

bool dj_sampling_record_read_mapping(const struct dj_sampling_record *record,
                                     struct dj_stacks_new_mapping *mapping)
{
    struct part part = get_body(record);
    struct mapping_body body;
    if (!read_number(&part, &body, sizeof(body)) ||
        memchr(part.at, '\0', part.left) == NULL) {
        return false;
    }
    *mapping = (struct dj_stacks_new_mapping){.pid = (pid_t)body.pid,
                                              .start = body.start,
                                              .size = body.size,
                                              .file_offset = body.file_offset,
                                              .device = makedev(body.major, body.minor),
                                              .inode = body.inode,
                                              .path = (const char *)part.at};
    return true;
}

bool dj_sampling_record_read_task(const struct dj_sampling_record *record,
                                  struct dj_sample_task *task)
{
    /* Ids of the process, the parent process, the thread and the parent thread. */
    uint32_t ids[4];
    struct part part = get_body(record);
    if (!read_number(&part, ids, sizeof(ids))) {
        return false;
    }
    *task = (struct dj_sample_task){(int32_t)ids[0], (int32_t)ids[1], (int32_t)ids[2],
                                    (int32_t)ids[3]};
    return true;
}

int32_t dj_sampling_record_read_exec(const struct dj_sampling_record *record)
{
    uint32_t pid;
    struct part part = get_body(record);
    bool executes = record->header.type == PERF_RECORD_COMM &&
                    (record->header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
    return executes && read_number(&part, &pid, sizeof(pid)) ? (int32_t)pid : 0;
}

uint64_t dj_sampling_record_read_lost(const struct dj_sampling_record *record)
{
    uint64_t lost[2] = {0, 0}; /* Event id and number of lost records. */
    struct part part = get_body(record);
    if (record->header.type == PERF_RECORD_LOST &&
        !read_number(&part, lost, sizeof(lost))) {
        return 1;
    }
    return lost[1];
}
