#include "device/inquiry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "device/quote.h"
#include "memory/memory.h"

enum { WORKERS = 24 };

struct work {
    struct dj_inquired_device *devices;
    size_t count;
    const char *record;
    atomic_size_t next;
};

static void ask(struct dj_inquired_device *asked, const char *record)
{
    struct dj_device *device = NULL;
    int code = dj_device_open(asked->name, &device, &asked->error);
    if (code == 0 && record != NULL) {
        code = dj_device_record_named(&device, record, &asked->error);
    }
    if (code == 0) {
        dj_device_read_facts(device, &asked->facts, &asked->error);
    } else {
        dj_facts_init(&asked->facts);
        snprintf(asked->facts.state, sizeof(asked->facts.state), "%s",
                 code == DJ_E_OWNER ? "unauthorized" : "unreachable");
    }
    dj_device_close(device);
}

/* A device that does not answer has this one obstacle. */
static void add_silence(struct dj_inquired_device *asked)
{
    struct dj_text command = {0};
    struct dj_device_obstacle *to = &asked->obstacles[0];
    bool reached = strcmp(asked->facts.state, "device") == 0;
    *to = (struct dj_device_obstacle){.blocks = true};
    snprintf(to->name, sizeof(to->name), "%s", reached ? "silent" : "unreachable");
    snprintf(to->says, sizeof(to->says), "%.199s", asked->error.message);
    if (reached) {
        dj_text_add(&command, "adb -s ");
        dj_device_quote_word(&command, asked->name);
        dj_text_add(&command, " reconnect");
        snprintf(to->command, sizeof(to->command), "%s", dj_xtext(&command));
    }
    asked->obstacle_count = 1;
    dj_text_finish(&command);
}

static void finish(struct dj_inquired_device *asked)
{
    if (asked->error.code != 0 && strcmp(asked->facts.state, "unauthorized") != 0) {
        add_silence(asked);
        return;
    }
    asked->obstacle_count =
        dj_device_find_obstacles(asked->name, &asked->facts, asked->obstacles);
}

static void *work_on(void *user)
{
    struct work *work = user;
    size_t index;
    while ((index = atomic_fetch_add(&work->next, 1)) < work->count) {
        struct dj_inquired_device *asked = &work->devices[index];
        if (asked->facts.state[0] == '\0' || strcmp(asked->facts.state, "device") == 0) {
            ask(asked, work->record);
        }
        finish(asked);
    }
    return NULL;
}

void dj_device_inquire(struct dj_inquired_device *devices, size_t count,
                       const char *record)
{
    struct work work = {.devices = devices, .count = count, .record = record};
    pthread_t threads[WORKERS];
    size_t started = 0;
    while (started < WORKERS && started + 1 < count &&
           pthread_create(&threads[started], NULL, work_on, &work) == 0) {
        started++;
    }
    work_on(&work);
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
}

bool dj_device_inquired_is_ready(const struct dj_inquired_device *device)
{
    return device->obstacle_count == 0 || !device->obstacles[0].blocks;
}
