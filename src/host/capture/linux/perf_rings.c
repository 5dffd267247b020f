#include "capture/linux/perf_rings.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"

/* Every user may lock RING_PAGES pages of memory per CPU (perf_event_mlock_kb). If other
 * processes of the same user have locked some of these pages, a smaller ring is tried,
 * down to RING_PAGES_LEAST. */
enum {
    RING_PAGES = 64,
    RING_PAGES_LEAST = 8,
    RING_PAGES_MOST = 1 << 18,
    CPUS_MOST = 4096
};

/* These flags add the members of struct dj_perf_id to each record. */
#define SAMPLE_ID (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

static size_t get_cpu_count(void)
{
    long cpus = sysconf(_SC_NPROCESSORS_CONF);
    return cpus < 1 ? 1 : cpus > CPUS_MOST ? CPUS_MOST : (size_t)cpus;
}

static int set_perf_error(int failure, struct dj_error *err)
{
    static const struct {
        int failure, code;
        const char *message;
    } known[] = {
        {EACCES, DJ_E_OWNER, "not permitted by kernel.perf_event_paranoid"},
        {EPERM, DJ_E_OWNER, "not permitted"},
        {ESRCH, DJ_E_NOT_FOUND, "there is no such process"},
        {EMFILE, DJ_E_LIMIT,
         "too many open files for this number of threads and CPUs (ulimit -n)"},
        {ENOSYS, DJ_E_UNSUPPORTED, "this kernel does not have them"},
        {ENOENT, DJ_E_UNSUPPORTED, "this kernel does not have this event"},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (known[i].failure == failure) {
            return dj_error_set(err, known[i].code, "perf events: %s", known[i].message);
        }
    }
    return dj_error_set(err, DJ_E_IO, "perf events: %s", strerror(failure));
}

static struct perf_event_attr describe_event(pid_t pid, uint32_t tracepoint)
{
    return (struct perf_event_attr){
        .type = tracepoint != 0 ? PERF_TYPE_TRACEPOINT : PERF_TYPE_SOFTWARE,
        .config = tracepoint != 0 ? tracepoint : PERF_COUNT_SW_DUMMY,
        .sample_type = tracepoint != 0 ? PERF_SAMPLE_RAW : 0,
        .sample_period = 1,
        .inherit = pid >= 0,
        .exclude_kernel = tracepoint == 0,
        .context_switch = tracepoint == 0,
        .comm = tracepoint == 0,
        .task = tracepoint == 0,
    };
}

/* Completes the attributes with those that all events have. */
static int open_event(const struct dj_perf_event *event, int32_t cpu)
{
    struct perf_event_attr attr = event->attr;
    attr.size = sizeof(attr);
    attr.sample_type |= SAMPLE_ID;
    attr.sample_id_all = 1;
    attr.use_clockid = 1;
    attr.clockid = CLOCK_MONOTONIC;
    attr.disabled = 1;
    attr.watermark = 1;
    /* No thread waits for records, because the rings are polled. */
    attr.wakeup_watermark = UINT32_MAX;
    int fd = (int)syscall(SYS_perf_event_open, &attr, event->pid, cpu, -1,
                          PERF_FLAG_FD_CLOEXEC);
    if (fd >= 0 && event->filter != NULL &&
        ioctl(fd, PERF_EVENT_IOC_SET_FILTER, event->filter) != 0 &&
        !event->is_filter_optional) {
        int failure = errno;
        close(fd);
        errno = failure;
        return -1;
    }
    return fd;
}

void dj_perf_rings_set_size(struct dj_perf *perf, int64_t bytes)
{
    dj_perf_rings_set_size_each(perf, bytes / (int64_t)get_cpu_count());
}

void dj_perf_rings_set_size_each(struct dj_perf *perf, int64_t bytes)
{
    int64_t each = bytes / (int64_t)sysconf(_SC_PAGESIZE);
    perf->pages = RING_PAGES;
    while (perf->pages < RING_PAGES_MOST && (int64_t)(2 * perf->pages) <= each) {
        perf->pages *= 2;
    }
}

/* Maps the ring of a CPU. The first event of the CPU owns the ring, and the other events
 * of the CPU write to the same ring. If the rings are larger than every user may lock,
 * all rings must have the same size. Otherwise the first rings could use up the memory
 * for the last ones. */
static int map_ring(const struct dj_perf *perf, struct dj_perf_ring *ring, int fd)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    bool large = perf->pages > RING_PAGES;
    size_t least = large ? perf->pages : RING_PAGES_LEAST;
    for (size_t pages = large ? perf->pages : RING_PAGES; pages >= least; pages /= 2) {
        void *head =
            mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (head != MAP_FAILED) {
            ring->head = head;
            ring->size = pages * page;
            ring->fd = fd;
            return 0;
        }
    }
    return large && errno == ENOMEM ? EPERM : errno;
}

static int add_to_cpu(struct dj_perf *perf, struct dj_perf_ring *ring,
                      const struct dj_perf_event *event, struct dj_error *err)
{
    if (!DJ_ARRAY_ROOM(perf->fds, perf->fd_count)) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for events");
    }
    int fd = open_event(event, ring->cpu);
    if (fd < 0) {
        /* ENODEV means that the CPU is offline. An offline CPU has no events. */
        return errno == ENODEV ? 0 : set_perf_error(errno, err);
    }
    perf->fds[perf->fd_count++] = fd;
    if (ring->fd >= 0) {
        return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) == 0
                   ? 0
                   : set_perf_error(errno, err);
    }
    int failure = map_ring(perf, ring, fd);
    return failure == 0       ? 0
           : failure == EPERM ? dj_error_set(err, DJ_E_LIMIT,
                                             "perf events: not permitted to lock memory "
                                             "(kernel.perf_event_mlock_kb)")
                              : set_perf_error(failure, err);
}

static int create_rings(struct dj_perf *perf, struct dj_error *err)
{
    size_t count = get_cpu_count();
    perf->rings = calloc(count, sizeof(*perf->rings));
    for (size_t i = 0; perf->rings != NULL && i < count; i++) {
        struct dj_perf_page *page = malloc(DJ_PERF_PAGE);
        if (page == NULL) {
            break;
        }
        page->used = page->reserved = 0;
        perf->rings[i] = (struct dj_perf_ring){.cpu = (int32_t)i, .fd = -1, .page = page};
        perf->count++;
    }
    return perf->count == count
               ? 0
               : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for CPUs");
}

static int add_to_cpus(struct dj_perf *perf, const struct dj_perf_event *event,
                       struct dj_error *err)
{
    int code = perf->rings == NULL ? create_rings(perf, err) : 0;
    for (size_t i = 0; i < perf->count && code == 0; i++) {
        code = add_to_cpu(perf, &perf->rings[i], event, err);
    }
    return code;
}

int dj_perf_rings_add_event(struct dj_perf *perf, const struct dj_perf_event *event,
                            struct dj_error *err)
{
    bool first = perf->fd_count == 0;
    int code = add_to_cpus(perf, event, err);
    while (code == DJ_E_LIMIT && first && perf->pages > RING_PAGES) {
        /* Rings of this size are not permitted, so a smaller size is tried. */
        dj_perf_rings_finish(perf);
        perf->pages /= 2;
        code = add_to_cpus(perf, event, err);
    }
    return code;
}

int dj_perf_rings_add(struct dj_perf *perf, pid_t pid, uint32_t tracepoint,
                      const char *filter, struct dj_error *err)
{
    const struct dj_perf_event event = {.pid = pid,
                                        .attr = describe_event(pid, tracepoint),
                                        .filter = filter,
                                        .is_filter_optional = true};
    return dj_perf_rings_add_event(perf, &event, err);
}

void dj_perf_rings_enable(const struct dj_perf *perf, bool on)
{
    for (size_t i = 0; i < perf->fd_count; i++) {
        ioctl(perf->fds[i], on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
    }
}

void dj_perf_rings_finish(struct dj_perf *perf)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < perf->count; i++) {
        if (perf->rings[i].head != NULL) {
            munmap(perf->rings[i].head, perf->rings[i].size + page);
        }
        free(perf->rings[i].page);
    }
    for (size_t i = 0; i < perf->fd_count; i++) {
        close(perf->fds[i]);
    }
    free(perf->rings);
    free(perf->fds);
    perf->rings = NULL;
    perf->fds = NULL;
    perf->count = perf->fd_count = 0;
}

static const uint8_t *get_data(const struct dj_perf_ring *ring)
{
    return (const uint8_t *)ring->head + sysconf(_SC_PAGESIZE);
}

const uint8_t *dj_perf_rings_find(const struct dj_perf_ring *ring, uint64_t at,
                                  size_t size)
{
    size_t from = (size_t)(at & (ring->size - 1));
    return size <= ring->size - from ? get_data(ring) + from : NULL;
}

void dj_perf_rings_copy(const struct dj_perf_ring *ring, uint64_t at, void *to,
                        size_t size)
{
    const uint8_t *data = get_data(ring);
    size_t from = (size_t)(at & (ring->size - 1));
    size_t first = size < ring->size - from ? size : ring->size - from;
    memcpy(to, data + from, first);
    memcpy((uint8_t *)to + first, data, size - first);
}

static int flush_page(const struct dj_perf_ring *ring, struct dj_spool *spool,
                      struct dj_error *err)
{
    int code =
        ring->page->used > 0 ? dj_page_spool_push(spool, ring->cpu, ring->page, err) : 0;
    ring->page->used = 0;
    return code;
}

/* Copies the struct dj_perf_id of a record. It is at the start of a sample (after the
 * header), and at the end of all other records. */
struct dj_perf_id dj_perf_rings_read_id(const uint8_t *record,
                                        const struct perf_event_header *header)
{
    struct dj_perf_id id;
    size_t at =
        header->type == PERF_RECORD_SAMPLE ? sizeof(*header) : header->size - sizeof(id);
    memcpy(&id, record + at, sizeof(id));
    return id;
}

static int copy_record(struct dj_perf *perf, struct dj_perf_ring *ring, uint64_t at,
                       const struct perf_event_header *header, struct dj_spool *spool,
                       struct dj_error *err)
{
    enum { ROOM = DJ_PERF_PAGE - sizeof(struct dj_perf_page) };
    struct dj_perf_page *page = ring->page;
    if (header->size > ROOM ||
        header->size < sizeof(*header) + sizeof(struct dj_perf_id)) {
        return 0;
    }
    int code = page->used + header->size > ROOM ? flush_page(ring, spool, err) : 0;
    uint8_t *to = page->records + page->used;
    dj_perf_rings_copy(ring, at, to, header->size);
    if (header->type == PERF_RECORD_LOST) {
        uint64_t lost;
        memcpy(&lost, to + sizeof(*header) + sizeof(uint64_t), sizeof(lost));
        perf->lost += lost;
    }
    if (page->used == 0) {
        page->first_ns = (int64_t)dj_perf_rings_read_id(to, header).at_ns;
        memset((uint8_t *)page + sizeof(*page) + header->size, 0,
               DJ_PERF_PAGE - sizeof(*page) - header->size);
    }
    page->used += header->size;
    perf->bytes += header->size;
    return code;
}

static int drain_ring(struct dj_perf *perf, struct dj_perf_ring *ring,
                      struct dj_spool *spool, struct dj_error *err)
{
    /* Pairs with the kernel's barrier between writing a record and updating data_head. */
    uint64_t end = __atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE);
    uint64_t at = ring->head->data_tail;
    int code = 0;
    while (at < end && code == 0) {
        struct perf_event_header header;
        dj_perf_rings_copy(ring, at, &header, sizeof(header));
        if (header.size < sizeof(header) || header.size > end - at) {
            /* The record is damaged, so the rest is skipped. The kernel never writes such
             * a record. */
            at = end;
            break;
        }
        code = copy_record(perf, ring, at, &header, spool, err);
        at += header.size;
    }
    /* Pairs with the kernel's load of data_tail. The kernel then overwrites the records
     * before data_tail. */
    __atomic_store_n(&ring->head->data_tail, at, __ATOMIC_RELEASE);
    return code;
}

int dj_perf_rings_drain(struct dj_perf *perf, struct dj_spool *spool, bool rest,
                        struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < perf->count && code == 0; i++) {
        if (perf->rings[i].head != NULL) {
            code = drain_ring(perf, &perf->rings[i], spool, err);
            code = code == 0 && rest ? flush_page(&perf->rings[i], spool, err) : code;
        }
    }
    return code;
}
