/* Decodes records that the tests have written byte by byte. */
#include <criterion/criterion.h>
#include <sys/sysmacros.h>

#include "perf_bytes.h"

Test(sampling_record, sample_with_a_stack)
{
    struct pb pb = pb_make_sample(PB_PID, PB_TID, 5000, 0x1234, 64, 24);
    struct dj_sampling_record record = pb_end(&pb, 0);
    struct dj_sample sample;
    uint64_t value;
    cr_assert(dj_sampling_record_read(&record, &sample));
    cr_expect(sample.has_registers && !sample.in_kernel);
    cr_expect_eq(sample.stack.pid, PB_PID);
    cr_expect_eq(sample.stack.stack_size, 24, "only these bytes were filled");
    memcpy(&value, sample.stack.registers, sizeof(value));
    cr_expect_eq(value, 0x1234);
    cr_expect_eq(record.id.tid, PB_TID);
    cr_expect_eq(record.id.at_ns, 5000);
}

Test(sampling_record, more_bytes_filled_than_there_are)
{
    struct pb pb = pb_make_sample(PB_PID, PB_TID, 5000, 1, 64, UINT64_MAX);
    struct dj_sampling_record record = pb_end(&pb, 0);
    struct dj_sample sample;
    cr_assert(dj_sampling_record_read(&record, &sample));
    cr_expect_eq(sample.stack.stack_size, 64);
}

Test(sampling_record, each_shorter_sample_is_refused)
{
    const struct pb whole = pb_make_sample(PB_PID, PB_TID, 5000, 1, 64, 64);
    for (size_t size = sizeof(struct perf_event_header); size < whole.size; size++) {
        struct pb pb = whole;
        struct dj_sample sample;
        pb.size = size;
        struct dj_sampling_record record = pb_end(&pb, 0);
        cr_expect(!dj_sampling_record_read(&record, &sample), "%zu bytes", size);
    }
}

Test(sampling_record, sample_of_a_kernel_thread_or_of_32_bits)
{
    struct dj_sample sample;
    struct pb none = pb_begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
    pb_add_id(&none, PB_PID, PB_TID, 1);
    pb_add_u64(&none, PERF_SAMPLE_REGS_ABI_NONE);
    pb_add_u64(&none, 0);
    struct dj_sampling_record record = pb_end(&none, 0);
    cr_assert(dj_sampling_record_read(&record, &sample));
    cr_expect(!sample.has_registers && sample.in_kernel);

    struct pb narrow = pb_make_sample(PB_PID, PB_TID, 1, 7, 0, 0);
    const uint64_t abi = PERF_SAMPLE_REGS_ABI_32;
    memcpy(narrow.bytes + sizeof(struct perf_event_header) + sizeof(struct dj_perf_id),
           &abi, sizeof(abi));
    record = pb_end(&narrow, 0);
    cr_assert(dj_sampling_record_read(&record, &sample));
    cr_expect(!sample.has_registers && sample.stack.registers == NULL);
}

static struct pb make_mapping(const char *path, size_t length)
{
    struct pb pb = pb_begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
    pb_add_u32(&pb, PB_PID);
    pb_add_u32(&pb, PB_TID);
    pb_add_u64(&pb, 0x7f0000001000);
    pb_add_u64(&pb, 0x2000);
    pb_add_u64(&pb, 0x1000);
    pb_add_u32(&pb, 8);
    pb_add_u32(&pb, 1);
    pb_add_u64(&pb, 4711);
    pb_add_u64(&pb, 0);
    pb_add_u32(&pb, 5);
    pb_add_u32(&pb, 2);
    pb_add(&pb, path, length);
    pb_add_id(&pb, PB_PID, PB_TID, 7);
    return pb;
}

Test(sampling_record, mapping)
{
    struct dj_stacks_new_mapping mapping;
    struct pb pb = make_mapping("/lib/x.so\0\0\0\0\0\0", 16);
    struct dj_sampling_record record = pb_end(&pb, 0);
    cr_assert(dj_sampling_record_read_mapping(&record, &mapping));
    cr_expect_eq(mapping.pid, PB_PID);
    cr_expect_eq(mapping.start, 0x7f0000001000);
    cr_expect_eq(mapping.size, 0x2000);
    cr_expect_eq(mapping.file_offset, 0x1000);
    cr_expect_eq(mapping.device, makedev(8, 1));
    cr_expect_eq(mapping.inode, 4711);
    cr_expect_str_eq(mapping.path, "/lib/x.so");
}

Test(sampling_record, mapping_whose_path_does_not_end)
{
    struct dj_stacks_new_mapping mapping;
    struct pb pb = make_mapping("/lib/xyz", 8);
    struct dj_sampling_record record = pb_end(&pb, 0);
    cr_expect(!dj_sampling_record_read_mapping(&record, &mapping));
    pb = make_mapping("", 0);
    record = pb_end(&pb, 0);
    cr_expect(!dj_sampling_record_read_mapping(&record, &mapping));
}

Test(sampling_record, tasks_programs_and_losses)
{
    const uint32_t ids[] = {200, 100, 201, 101};
    struct dj_sample_task task;
    struct pb fork = pb_make_task(PERF_RECORD_FORK, ids, 3);
    struct dj_sampling_record record = pb_end(&fork, 0);
    cr_assert(dj_sampling_record_read_task(&record, &task));
    cr_expect(task.pid == 200 && task.parent_pid == 100 && task.tid == 201 &&
              task.parent_tid == 101);

    struct pb name = pb_begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
    pb_add_u32(&name, PB_PID);
    pb_add_u32(&name, PB_TID);
    pb_add(&name, "app\0\0\0\0\0", 8);
    pb_add_id(&name, PB_PID, PB_TID, 3);
    record = pb_end(&name, 0);
    cr_expect_eq(dj_sampling_record_read_exec(&record), PB_PID);
    record.header.misc = 0;
    cr_expect_eq(dj_sampling_record_read_exec(&record), 0, "only a new name");

    struct pb lost = pb_begin(PERF_RECORD_LOST, 0);
    pb_add_u64(&lost, 1);
    pb_add_u64(&lost, 42);
    pb_add_id(&lost, PB_PID, PB_TID, 3);
    record = pb_end(&lost, 0);
    cr_expect_eq(dj_sampling_record_read_lost(&record), 42);
}
