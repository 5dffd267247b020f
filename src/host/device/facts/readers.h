/* Readers of the output of commands, one per command. Pure. Each sets the facts that it
 * finds and does not change the others. */
#ifndef DEJANK_DEVICE_FACTS_READERS_H
#define DEJANK_DEVICE_FACTS_READERS_H

#include "base/str.h"
#include "facts/device.h"

/* A command and the reader of its output. */
struct dj_facts_command {
    const char *argv[5];
    void (*read)(struct dj_device_facts *facts, const char *text, size_t length);
};

static inline void dj_facts_set_known(enum dj_known *fact, bool value)
{
    *fact = value ? DJ_KNOWN_YES : DJ_KNOWN_NO;
}

/* Parses "1080x2400". Sets nothing if a side is implausible. */
void dj_facts_set_size(struct dj_device_facts *facts, struct dj_str size);

/* Names of the settings that dj_device_facts.animation_scale contains. */
enum { DJ_FACTS_SCALES = 3 };
extern const char *const dj_facts_scale_settings[DJ_FACTS_SCALES];

enum { DJ_FACTS_ANDROID_COMMANDS = 9 };
extern const struct dj_facts_command dj_facts_android_commands[DJ_FACTS_ANDROID_COMMANDS];

/* `getprop`: "[ro.product.model]: [Pixel 6]". */
void dj_facts_read_getprop(struct dj_device_facts *facts, const char *text,
                           size_t length);
/* `wm size`, `wm density`: "Physical size: 1080x2400", "Override size: 720x1600". */
void dj_facts_read_wm(struct dj_device_facts *facts, const char *text, size_t length);
/* `settings list global`: "low_power=0". */
void dj_facts_read_settings(struct dj_device_facts *facts, const char *text,
                            size_t length);
void dj_facts_read_battery(struct dj_device_facts *facts, const char *text,
                           size_t length);
void dj_facts_read_thermal(struct dj_device_facts *facts, const char *text,
                           size_t length);
void dj_facts_read_power(struct dj_device_facts *facts, const char *text, size_t length);
void dj_facts_read_policy(struct dj_device_facts *facts, const char *text, size_t length);
void dj_facts_read_display(struct dj_device_facts *facts, const char *text,
                           size_t length);
void dj_facts_read_flinger(struct dj_device_facts *facts, const char *text,
                           size_t length);

/* A script for any Linux kernel, also that of Android. It prints the path of each file
 * and its first line as "KEY=VALUE". The second function reads that. */
extern const struct dj_facts_command dj_facts_linux_command;
void dj_facts_read_linux(struct dj_device_facts *facts, const char *text, size_t length);

#endif
