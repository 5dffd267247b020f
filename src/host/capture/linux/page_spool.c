#include "capture/linux/page_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/array.h"
#include "output/path.h"

/* Returns the folder for the spool file. It is the folder of the output, so that the
 * spool and the output are on the same disk. The caller frees the result. Returns NULL if
 * memory is exhausted. */
static char *get_folder(const char *output)
{
    if (dj_output_path_is_direct(output)) {
        return strdup(dj_output_path_temporary_folder());
    }
    char *end = dj_output_path_resolve_links(output);
    char *folder = end != NULL ? strdup(dirname(end)) : NULL;
    free(end);
    return folder;
}

static int open_file(struct dj_spool *spool, const char *output, struct dj_error *err)
{
    char *folder = get_folder(output);
    int failure = folder == NULL ? ENOMEM : dj_spill_open_in(&spool->file, folder);
    free(folder);
    return failure == 0 ? 0
                        : dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s", output,
                                       strerror(failure));
}

/* Disk space that is reserved after the pages. If the disk is full at the end of the
 * capture, this space is freed, and the first bytes of the trace can be written. */
enum { RESERVE_BYTES = 128 << 10 };

static off_t get_reserve_offset(const struct dj_spool *spool)
{
    return (off_t)spool->slots_most * (off_t)spool->page_size;
}

int dj_page_spool_open(struct dj_spool *spool, const char *output, size_t page_size,
                       int64_t bytes_most, bool rolling, struct dj_error *err)
{
    enum { LEAST = 16 };
    int64_t slots = bytes_most / (int64_t)page_size;
    *spool = (struct dj_spool){.page_size = page_size, .rolling = rolling};
    spool->slots_most = slots < LEAST        ? LEAST
                        : slots > UINT32_MAX ? UINT32_MAX
                                             : (size_t)slots;
    int code = open_file(spool, output, err);
    /* The result is ignored, because pages can be stored without reserved space. */
    if (code == 0) {
        int ignored = fallocate(spool->file.file - 1, FALLOC_FL_KEEP_SIZE,
                                get_reserve_offset(spool), RESERVE_BYTES);
        (void)ignored;
    }
    return code;
}

static void free_slot(const struct dj_spool *spool, off_t at, off_t bytes)
{
    int ignored = fallocate(spool->file.file - 1,
                            FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, bytes);
    /* The result is ignored, because some file systems cannot free a part of a file. */
    (void)ignored;
}

void dj_page_spool_free_space(struct dj_spool *spool)
{
    struct statvfs disk;
    if (spool->file.file == 0) {
        return;
    }
    free_slot(spool, get_reserve_offset(spool), RESERVE_BYTES);
    /* On ext4, punching a hole does not free space after the end of the file, but
     * truncating the file does. */
    int ignored =
        ftruncate(spool->file.file - 1, (off_t)spool->used * (off_t)spool->page_size);
    (void)ignored;
    spool->frees = fstatvfs(spool->file.file - 1, &disk) == 0 &&
                   (uint64_t)disk.f_bavail * disk.f_frsize / 2 <
                       (uint64_t)spool->used * spool->page_size;
}

void dj_page_spool_close(struct dj_spool *spool)
{
    dj_spill_close(&spool->file);
    free(spool->pages);
    dj_janky_keep_finish(&spool->keep);
    free(spool->last_of_cpu);
    *spool = (struct dj_spool){0};
}

/* Finds a slot for a new page. If the file has its maximum size, a rolling spool drops
 * its oldest page that need not be kept. Returns false if no slot is available. */
static bool find_slot(struct dj_spool *spool, uint32_t *slot)
{
    if (spool->used < spool->slots_most) {
        *slot = (uint32_t)spool->used++;
        return true;
    }
    while (spool->rolling && spool->oldest < spool->count) {
        struct dj_spool_page *page = &spool->pages[spool->oldest++];
        if (!dj_janky_keep_overlaps(&spool->keep, page->first_ns, page->last_ns)) {
            page->dropped = true;
            spool->lacks_oldest = true;
            spool->dropped++;
            *slot = page->slot;
            return true;
        }
    }
    spool->full = true;
    return false;
}

/* Removes dropped pages from the array `pages` if at least half of its pages are dropped.
 */
static void remove_dropped(struct dj_spool *spool)
{
    size_t kept_count = 0, oldest = 0;
    if (spool->dropped * 2 < spool->count || spool->count < 1024) {
        return;
    }
    for (size_t i = 0; i < spool->cpu_count; i++) {
        spool->last_of_cpu[i] = 0;
    }
    for (size_t i = 0; i < spool->count; i++) {
        oldest = i == spool->oldest ? kept_count : oldest;
        if (!spool->pages[i].dropped) {
            spool->pages[kept_count++] = spool->pages[i];
            spool->last_of_cpu[spool->pages[i].cpu] = kept_count;
        }
    }
    spool->oldest = spool->oldest == spool->count ? kept_count : oldest;
    spool->count = kept_count;
    spool->dropped = 0;
}

static bool reserve_entry(struct dj_spool *spool, int32_t cpu)
{
    if (!DJ_ARRAY_ROOM(spool->pages, spool->count)) {
        return false;
    }
    if ((size_t)cpu >= spool->cpu_count) {
        size_t count = (size_t)cpu + 1;
        size_t *grown = dj_array_resize(spool->last_of_cpu, count, sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        memset(grown + spool->cpu_count, 0, (count - spool->cpu_count) * sizeof(*grown));
        spool->last_of_cpu = grown;
        spool->cpu_count = count;
    }
    return true;
}

int dj_page_spool_push(struct dj_spool *spool, int32_t cpu, const void *page,
                       struct dj_error *err)
{
    uint32_t slot;
    int64_t first_ns;
    if (cpu < 0 || !reserve_entry(spool, cpu)) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for a capture");
    }
    memcpy(&first_ns, page, sizeof(first_ns));
    if (spool->last_of_cpu[cpu] > 0) {
        spool->pages[spool->last_of_cpu[cpu] - 1].last_ns = first_ns;
    }
    if (!find_slot(spool, &slot)) {
        return 0;
    }
    int failure = dj_spill_write(&spool->file, (uint64_t)slot * spool->page_size, page,
                                 spool->page_size);
    if (failure != 0) {
        return dj_error_set(err, DJ_E_OUTPUT, "cannot store captured data: %s",
                            strerror(failure));
    }
    spool->pages[spool->count++] = (struct dj_spool_page){
        .first_ns = first_ns, .last_ns = INT64_MAX, .slot = slot, .cpu = cpu};
    spool->last_of_cpu[cpu] = spool->count;
    remove_dropped(spool);
    return 0;
}

static int read_page(struct dj_spool_cursor *cursor, uint32_t slot, struct dj_error *err)
{
    const struct dj_spool *spool = cursor->spool;
    off_t at = (off_t)slot * (off_t)spool->page_size;
    if (cursor->page == NULL) {
        cursor->page = malloc(spool->page_size);
    }
    if (cursor->page == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for a page");
    }
    int failure =
        dj_spill_read(&spool->file, (uint64_t)at, cursor->page, spool->page_size);
    if (failure != 0) {
        return dj_error_set(err, DJ_E_IO, "cannot read stored data of the capture: %s",
                            strerror(failure));
    }
    if (spool->frees) {
        free_slot(spool, at, (off_t)spool->page_size);
    }
    return 0;
}

int dj_page_spool_next(struct dj_spool_cursor *cursor, uint8_t **page, bool *gap,
                       struct dj_error *err)
{
    const struct dj_spool *spool = cursor->spool;
    *gap = false;
    *page = NULL;
    while (cursor->at < spool->count) {
        const struct dj_spool_page *next = &spool->pages[cursor->at++];
        if (next->cpu != cursor->cpu) {
            continue;
        }
        if (next->dropped ||
            (spool->rolling &&
             !dj_janky_keep_overlaps(&spool->keep, next->first_ns, next->last_ns))) {
            cursor->skipped = true;
            continue;
        }
        *gap = cursor->begun ? cursor->after_ns != next->first_ns
                             : cursor->skipped || spool->lacks_oldest;
        cursor->begun = true;
        cursor->skipped = false;
        cursor->after_ns = next->last_ns;
        int code = read_page(cursor, next->slot, err);
        *page = code == 0 ? cursor->page : NULL;
        return code;
    }
    return 0;
}

int dj_page_spool_write_gap(const struct dj_spool_cursor *cursor, int64_t at_ns,
                            struct dj_event_sink sink)
{
    struct dj_event lost = {
        .kind = DJ_EVENT_LOST, .at_ns = at_ns, .pid = DJ_PID_UNKNOWN, .cpu = cursor->cpu};
    return cursor->skipped ? sink.take(sink.user, &lost) : 0;
}

void dj_page_spool_cursor_finish(struct dj_spool_cursor *cursor)
{
    free(cursor->page);
    cursor->page = NULL;
}
