/* Page: the connected devices, and the obstacles to measuring with them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_list.h"
#include "memory/memory.h"
#include "report/devices.h"
#include "serve/device_state.h"
#include "serve/pages/page.h"

void dj_serve_inquire_devices(struct dj_device_state *state)
{
    struct dj_device_entry *entries = dj_xcalloc(DJ_DEVICES_MAX, sizeof(*entries));
    size_t count = 0;
    if (dj_device_list(entries, DJ_DEVICES_MAX, &count, &state->error) != 0) {
        count = 0;
    }
    state->devices = dj_xcalloc(count + 1, sizeof(*state->devices));
    state->count = count + 1;
    for (size_t i = 0; i < state->count; i++) {
        struct dj_inquired_device *device = &state->devices[i];
        bool is_local = i == count;
        dj_facts_init(&device->facts);
        snprintf(device->name, sizeof(device->name), "%s",
                 is_local ? "local:" : entries[i].serial);
        snprintf(device->facts.state, sizeof(device->facts.state), "%s",
                 is_local ? "" : entries[i].state);
    }
    free(entries);
    dj_device_inquire(state->devices, state->count, NULL);
}

void dj_serve_finish_devices(struct dj_device_state *state)
{
    free(state->devices);
}

int dj_serve_show_devices(struct dj_call *call, struct dj_error *err)
{
    struct dj_device_state state = {.count = 0};
    struct dj_document document = {0};
    struct dj_text words = {0};
    (void)err;
    dj_serve_inquire_devices(&state);
    dj_report_build_devices(&document, state.devices, state.count);
    if (state.error.code != 0) {
        dj_text_add(&words, state.error.message);
        dj_document_add_note(&document, DJ_TONE_WARNING, &words);
    }
    dj_serve_finish_devices(&state);
    return dj_serve_reply_page(call, &document, false);
}
