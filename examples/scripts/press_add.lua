-- Views by their ids, wherever they are on the screen: EasyMonkeyDevice and By.
--
--   dejank script examples/scripts/press_add.lua --device SERIAL

local device = MonkeyRunner.waitForConnection(30)
assert(device, "no device within 30 s")

local easy = EasyMonkeyDevice(device)
assert(easy:visible(By.id("id/add")), "no such button on the screen")
easy:touch(By.id("id/add"), MonkeyDevice.DOWN_AND_UP)
easy:type(By.id("id/field"), "milk")
print(easy:getText(By.id("id/field")))
