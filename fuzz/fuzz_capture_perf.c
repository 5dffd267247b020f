/* Reads any bytes as pages of perf records. Bit 0 of the first byte sets whether all
 * threads of each CPU are watched. Bit 1 sets whether the format of a tracepoint is
 * known. The pages follow. Each page begins with three bytes: the CPU, and the length of
 * its records in two bytes. The reader must not read past a page, and it must end. No
 * thread state may end before it starts. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/linux/perf_events.h"
#include "trace/model/builder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char switch_format[] =
    "name: sched_switch\nID: 314\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
    "\n"
    "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
    "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
    "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
    "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
    "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n";

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* Opens a spool in memory, because dj_page_spool_open() needs a folder. */
static void open_spool(struct dj_spool *spool)
{
    *spool = (struct dj_spool){.page_size = DJ_PERF_PAGE, .slots_most = 64};
    check(dj_spill_open_memory(&spool->file) == 0);
}

static void fill_spool(struct dj_spool *spool, const uint8_t *data, size_t size)
{
    enum { HEAD = 3, CPUS = 4, ROOM = DJ_PERF_PAGE - sizeof(struct dj_perf_page) };
    struct dj_perf_page *page = malloc(DJ_PERF_PAGE);
    check(page != NULL);
    while (size >= HEAD) {
        size_t told = (size_t)(data[1] | data[2] << 8);
        size_t length = told < size - HEAD ? told : size - HEAD;
        length = length < ROOM ? length : ROOM;
        memset(page, 0, DJ_PERF_PAGE);
        memcpy(page->records, data + HEAD, length);
        page->used = (uint32_t)told; /* may be too large */
        page->first_ns = (int64_t)(spool->count + 1);
        check(dj_page_spool_push(spool, data[0] % CPUS, page, NULL) == 0);
        data += HEAD + length;
        size -= HEAD + length;
    }
    free(page);
}

static int take(void *user, const struct dj_event *event)
{
    check(event->kind < DJ_EVENT_KINDS && event->cpu >= 0);
    return dj_builder_add_event(user, event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { OF_ALL = 1, TRACEPOINTS = 2 };
    struct dj_trace trace = {0};
    struct dj_trace_builder build = {.trace = &trace};
    struct dj_trace_formats formats = {0};
    struct dj_spool spool;
    uint8_t how = size > 0 ? data[0] : 0;
    open_spool(&spool);
    fill_spool(&spool, data + (size > 0), size - (size > 0));
    check(dj_trace_formats_add(&formats,
                               (struct dj_str){switch_format, sizeof(switch_format) - 1},
                               NULL) == 0);
    struct dj_perf_reader reader = {.spool = &spool,
                                    .formats = how & TRACEPOINTS ? &formats : NULL,
                                    .of_all = (how & OF_ALL) != 0};
    check(dj_perf_events_read(&reader, (struct dj_event_sink){take, &build}, NULL) == 0);
    check(reader.events <= size);
    check(dj_builder_complete(&build, NULL) == 0);
    for (size_t i = 0; i < trace.state_count; i++) {
        check(trace.states[i].end_ns >= trace.states[i].start_ns);
        check(trace.states[i].state < DJ_THREAD_STATES);
    }
    dj_trace_finish(&trace);
    dj_trace_formats_finish(&formats);
    dj_page_spool_close(&spool);
    return 0;
}
