/* Parsers of the output of commands, one per command. All are pure. Each sets the facts
 * that the output contains and does not change the other facts. */
#ifndef DEJANK_DEVICE_FACTS_READERS_H
#define DEJANK_DEVICE_FACTS_READERS_H

#include "base/str.h"
#include "facts/device.h"

/* A command and the function that reads its output. */
struct dj_facts_command {
    const char *argv[5];
    void (*read)(struct dj_device_facts *facts, const char *text, size_t length);
};

static inline void dj_facts_set_known(enum dj_known *fact, bool value)
{
    *fact = value ? DJ_KNOWN_YES : DJ_KNOWN_NO;
}

/* Parses "1080x2400" as width and height in pixels. Sets nothing if the width or the
 * height is implausible. */
void dj_facts_set_size(struct dj_device_facts *facts, struct dj_str size);

/* Names of the settings in the order of dj_device_facts.animation_scale. */
enum { DJ_FACTS_SCALES = 3 };
extern const char *const dj_facts_scale_settings[DJ_FACTS_SCALES];

enum { DJ_FACTS_ANDROID_COMMANDS = 9 };
extern const struct dj_facts_command dj_facts_android_commands[DJ_FACTS_ANDROID_COMMANDS];

/* Reads the output of `getprop`, with lines such as "[ro.product.model]: [Pixel 6]". */
void dj_facts_read_getprop(struct dj_device_facts *facts, const char *text,
                           size_t length);
/* Reads the output of `wm size` and `wm density`, such as "Physical size: 1080x2400" and
 * "Override size: 720x1600". */
void dj_facts_read_wm(struct dj_device_facts *facts, const char *text, size_t length);
/* Reads the output of `settings list global`, with lines such as "low_power=0". */
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

/* A script for any Linux kernel, including that of Android. It prints "PATH=FIRST LINE"
 * for each file that it reads. dj_facts_read_linux() parses this output. */
extern const struct dj_facts_command dj_facts_linux_command;
void dj_facts_read_linux(struct dj_device_facts *facts, const char *text, size_t length);

#endif
