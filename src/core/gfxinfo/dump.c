#include "gfxinfo/dump.h"

#include <stdlib.h>

static void finish_process(struct dj_dump_process *process)
{
    for (size_t i = 0; i < process->window_count; i++) {
        free(process->windows[i].title);
        free(process->windows[i].stats_title);
        free(process->windows[i].frames);
        free(process->windows[i].profile);
    }
    free(process->windows);
    free(process->name);
    free(process->pipeline);
    free(process->disabled);
    free(process->cut_short);
}

void dj_dump_finish(struct dj_dump *dump)
{
    for (size_t i = 0; i < dump->process_count; i++) {
        finish_process(&dump->processes[i]);
    }
    free(dump->processes);
    free(dump->not_found);
    *dump = (struct dj_dump){0};
}

/* Room for one more element of an array that doubles: it is full exactly where count is 0
 * or a power of two. */
static void *room_for_one(void *array, size_t count, size_t element_bytes)
{
    if ((count & (count - 1)) != 0) {
        return array;
    }
    return reallocarray(array, count == 0 ? 1 : count * 2, element_bytes);
}

struct dj_dump_process *dj_dump_add_process(struct dj_dump *dump)
{
    struct dj_dump_process *grown =
        room_for_one(dump->processes, dump->process_count, sizeof(*grown));
    if (grown == NULL) {
        return NULL;
    }
    dump->processes = grown;
    grown[dump->process_count] =
        (struct dj_dump_process){.pid = -1, .recovered = -1, .expected = -1};
    return &grown[dump->process_count++];
}

struct dj_dump_window *dj_dump_add_window(struct dj_dump_process *process)
{
    struct dj_dump_window *grown =
        room_for_one(process->windows, process->window_count, sizeof(*grown));
    if (grown == NULL) {
        return NULL;
    }
    process->windows = grown;
    grown[process->window_count] = (struct dj_dump_window){.visibility = -1};
    return &grown[process->window_count++];
}
