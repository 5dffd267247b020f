#include "device/inquiry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "device/quote.h"
#include "memory/memory.h"
#include "process/deadline.h"

enum { WORKERS = 24 };

struct work {
    struct dj_inquired_device *devices;
    size_t count;
    const char *record;
    atomic_size_t next;
    struct dj_interrupt_request interrupt; /* Interrupt request of the calling thread. */
};

static void query_device(struct dj_inquired_device *device, const char *record)
{
    struct dj_device *connection = NULL;
    int code = dj_device_open(device->name, &connection, &device->error);
    if (code == 0 && record != NULL) {
        code = dj_device_record_named(&connection, record, &device->error);
    }
    if (code == 0) {
        dj_device_read_facts(connection, &device->facts, &device->error);
    } else {
        dj_facts_init(&device->facts);
        snprintf(device->facts.state, sizeof(device->facts.state), "%s",
                 code == DJ_E_OWNER ? "unauthorized" : "unreachable");
    }
    dj_device_close(connection);
}

/* Sets the obstacle of a device that did not answer. Such a device gets no other
 * obstacle. */
static void set_no_answer_obstacle(struct dj_inquired_device *device)
{
    struct dj_text command = {0};
    struct dj_device_obstacle *to = &device->obstacles[0];
    bool reached = strcmp(device->facts.state, "device") == 0;
    *to = (struct dj_device_obstacle){.blocks = true};
    snprintf(to->name, sizeof(to->name), "%s", reached ? "silent" : "unreachable");
    snprintf(to->says, sizeof(to->says), "%.199s", device->error.message);
    if (reached) {
        dj_text_add(&command, "adb -s ");
        dj_device_quote_word(&command, device->name);
        dj_text_add(&command, " reconnect");
        snprintf(to->command, sizeof(to->command), "%s", dj_xtext(&command));
    }
    device->obstacle_count = 1;
    dj_text_finish(&command);
}

static void set_obstacles(struct dj_inquired_device *device)
{
    if (device->error.code != 0 && strcmp(device->facts.state, "unauthorized") != 0) {
        set_no_answer_obstacle(device);
        return;
    }
    device->obstacle_count =
        dj_device_find_obstacles(device->name, &device->facts, device->obstacles);
}

static void *run_worker(void *user)
{
    struct work *work = user;
    size_t index;
    dj_process_set_thread_interrupt(work->interrupt);
    while ((index = atomic_fetch_add(&work->next, 1)) < work->count) {
        struct dj_inquired_device *device = &work->devices[index];
        if (device->facts.state[0] == '\0' ||
            strcmp(device->facts.state, "device") == 0) {
            query_device(device, work->record);
        }
        set_obstacles(device);
    }
    return NULL;
}

void dj_device_inquire(struct dj_inquired_device *devices, size_t count,
                       const char *record)
{
    struct work work = {.devices = devices,
                        .count = count,
                        .record = record,
                        .interrupt = dj_process_get_thread_interrupt()};
    pthread_t threads[WORKERS];
    size_t started = 0;
    while (started < WORKERS && started + 1 < count &&
           pthread_create(&threads[started], NULL, run_worker, &work) == 0) {
        started++;
    }
    run_worker(&work);
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
}

bool dj_device_inquired_is_ready(const struct dj_inquired_device *device)
{
    return device->obstacle_count == 0 || !device->obstacles[0].blocks;
}
