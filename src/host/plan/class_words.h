/* Parses the device class in the option --device-class. */
#ifndef DEJANK_PLAN_CLASS_WORDS_H
#define DEJANK_PLAN_CLASS_WORDS_H

#include "base/error.h"
#include "facts/device_class.h"

/* Parses the name of a class ("low-end") or conditions as in plans: "ram < 3 GB, width >=
 * 600 dp, model=Pixel". The class refers to `words` and `buffer`, which must outlive the
 * class. Returns DJ_E_USAGE with a message about the expected text. */
enum { DJ_CLASS_BUFFER = 256 };
int dj_plan_class_parse(const char *words, char buffer[DJ_CLASS_BUFFER],
                        struct dj_device_class *class, struct dj_error *err);

#endif
