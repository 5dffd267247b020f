/* Readers of what devices print, one per command. Pure; each fills what it finds and
 * leaves the rest as it is. */
#ifndef DEJANK_DEVICE_FACTS_PARTS_H
#define DEJANK_DEVICE_FACTS_PARTS_H

#include "base/str.h"
#include "device/facts.h"

/* A command, and the reader of what it prints. */
struct dj_facts_question {
    const char *argv[5];
    void (*read)(struct dj_device_facts *facts, const char *text, size_t length);
};

static inline void dj_facts_set_known(enum dj_known *fact, bool value)
{
    *fact = value ? DJ_KNOWN_YES : DJ_KNOWN_NO;
}

/* "1080x2400"; nothing is set where a side is not plausible. */
void dj_facts_set_size(struct dj_device_facts *facts, struct dj_str size);

/* Names of the settings behind dj_device_facts.animation_scale. */
enum { DJ_FACTS_SCALES = 3 };
extern const char *const dj_facts_scale_settings[DJ_FACTS_SCALES];

enum { DJ_FACTS_ANDROID_QUESTIONS = 9 };
extern const struct dj_facts_question
    dj_facts_android_questions[DJ_FACTS_ANDROID_QUESTIONS];

/* `getprop`: "[ro.product.model]: [Pixel 6]". */
void dj_facts_getprop(struct dj_device_facts *facts, const char *text, size_t length);
/* `wm size`, `wm density`: "Physical size: 1080x2400", "Override size: 720x1600". */
void dj_facts_wm(struct dj_device_facts *facts, const char *text, size_t length);
/* `settings list global`: "low_power=0". */
void dj_facts_settings(struct dj_device_facts *facts, const char *text, size_t length);
void dj_facts_battery(struct dj_device_facts *facts, const char *text, size_t length);
void dj_facts_thermal(struct dj_device_facts *facts, const char *text, size_t length);
void dj_facts_power(struct dj_device_facts *facts, const char *text, size_t length);
void dj_facts_policy(struct dj_device_facts *facts, const char *text, size_t length);
void dj_facts_display(struct dj_device_facts *facts, const char *text, size_t length);
void dj_facts_flinger(struct dj_device_facts *facts, const char *text, size_t length);

/* The script for any Linux kernel, Android's too: it prints "KEY=VALUE", a file's path
 * and its first line; and the reader of that. */
extern const struct dj_facts_question dj_facts_linux_question;
void dj_facts_linux(struct dj_device_facts *facts, const char *text, size_t length);

#endif
