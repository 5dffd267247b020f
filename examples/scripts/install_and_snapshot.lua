-- The sample that came with monkeyrunner: install a package, start its activity, press a key,
-- keep a picture of the screen.
--
--   dejank script examples/scripts/install_and_snapshot.lua --device SERIAL APP.apk com.example.app .MainActivity shot.png
--
-- In Python it was device.press('KEYCODE_MENU', MonkeyDevice.DOWN_AND_UP); the dot works here too.

local apk, package, activity, shot = ...
assert(shot, "expected: APK PACKAGE ACTIVITY PICTURE.png")

local device = MonkeyRunner.waitForConnection(30)
assert(device, "no device within 30 s")

local installed, why = device:installPackage(apk)
assert(installed, why)

device:startActivity{component = package .. "/" .. activity}
MonkeyRunner.sleep(1)

device:press("KEYCODE_MENU", MonkeyDevice.DOWN_AND_UP)

local picture = device:takeSnapshot()
picture:writeToFile(shot, "png")
print(picture)
