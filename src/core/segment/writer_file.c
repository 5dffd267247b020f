#include "segment/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "segment/directory.h"
#include "segment/text_field.h"

static int64_t get_pid(const struct dj_segment_options *options)
{
    return options->pid != 0 ? options->pid : getpid();
}

static void fill_header(struct dj_segment_header *header,
                        const struct dj_segment_options *options)
{
    header->byte_order = DJ_SEGMENT_BYTE_ORDER;
    header->version = DJ_SEGMENT_VERSION;
    header->header_bytes = DJ_SEGMENT_PAGE;
    header->window_bytes = (uint32_t)dj_segment_window_bytes(options->keep);
    header->window_slots = DJ_SEGMENT_WINDOWS;
    header->keep = options->keep;
    header->column_count = DJ_SEGMENT_COLUMNS;
    header->counter_count = DJ_COUNTER_COUNT;
    header->frame_buckets = DJ_FRAME_BUCKETS;
    header->gpu_buckets = DJ_GPU_BUCKETS;
    header->pid = get_pid(options);
    header->start_ticks = dj_segment_process_start_ticks(header->pid);
    dj_segment_read_boot_id(header->boot_id);
    header->created_ns = options->now_ns;
    header->run_ns = options->run_ns != 0 ? options->run_ns : options->now_ns;
    header->interval_ns = options->interval_ns;
    header->interval_assumed = options->interval_assumed;
    dj_text_field_copy(header->release, sizeof(header->release), options->dialect->name);
    dj_text_field_copy(header->name, sizeof(header->name), options->name);
    dj_text_field_copy(header->program, sizeof(header->program), options->program);
    dj_text_field_copy(header->app_version, sizeof(header->app_version),
                       options->app_version != NULL ? options->app_version : "");
    header->created_wall_ns = options->wall_ns;
    header->retention = options->retention;
    atomic_store(&header->profile, options->profile);
}

void dj_segment_restart(struct dj_segment_writer *writer, int64_t now_ns, int64_t wall_ns)
{
    struct dj_segment_header *header = writer->header;
    /* A process that was not started by `dejank record` is a run of its own. Such a run
     * starts now, too. */
    if (header->run_ns == header->created_ns) {
        header->run_ns = now_ns;
    }
    header->created_ns = now_ns;
    header->created_wall_ns = wall_ns;
}

/* Write the magic last, because readers treat a file without it as unfinished. */
void dj_segment_publish(struct dj_segment_writer *writer)
{
    struct dj_segment_header *header = writer->header;
    atomic_thread_fence(memory_order_release);
    memcpy(header->magic, DJ_SEGMENT_MAGIC, sizeof(header->magic));
}

/* Creates the file, and sets `path`. A process that has replaced itself with exec()
 * still has the same pid and start time, so the file name gets a number. */
static int open_new(const char *directory, int64_t pid, char *path, size_t size)
{
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    uint64_t start_ticks = dj_segment_process_start_ticks(pid);
    int fd = -1;
    errno = EEXIST;
    for (unsigned image = 0; fd < 0 && errno == EEXIST && image < DJ_SEGMENT_IMAGES;
         image++) {
        char name[DJ_SEGMENT_FILE_NAME];
        dj_segment_file_name(name, pid, start_ticks, image);
        snprintf(path, size, "%s/%s", directory, name);
        fd = open(path, flags, 0600);
    }
    if (fd < 0 && errno == EEXIST && unlink(path) == 0) {
        fd = open(path, flags, 0600);
    }
    return fd;
}

int dj_segment_create(struct dj_segment_writer *writer,
                      const struct dj_segment_options *options, struct dj_error *err)
{
    *writer = (struct dj_segment_writer){0};
    if (options->keep < DJ_SEGMENT_KEEP_MIN || options->keep > DJ_SEGMENT_KEEP_MAX) {
        return dj_error_set(err, DJ_E_LIMIT,
                            "cannot keep %u frames per window: expected %d to %d",
                            options->keep, DJ_SEGMENT_KEEP_MIN, DJ_SEGMENT_KEEP_MAX);
    }
    int code = dj_mapped_file_create(
        &writer->file, writer->path,
        open_new(options->directory, get_pid(options), writer->path,
                 sizeof(writer->path)),
        DJ_SEGMENT_PAGE + DJ_SEGMENT_WINDOWS * dj_segment_window_bytes(options->keep),
        err);
    if (code != 0) {
        return code;
    }
    writer->header = writer->file.memory;
    writer->dialect = options->dialect;
    writer->slots = DJ_SEGMENT_WINDOWS;
    fill_header(writer->header, options);
    if (!options->hidden) {
        dj_segment_publish(writer);
    }
    return 0;
}

void dj_segment_unmap(struct dj_segment_writer *writer)
{
    dj_mapped_file_unmap(&writer->file);
    *writer = (struct dj_segment_writer){0};
}
