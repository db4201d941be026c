package gojavm

import (
	"strings"
	"sync"
)

// staticNames are the primordials that are functions of a class or a namespace, by its name.
var staticNames = sync.OnceValue(func() map[string][]string {
	all := make(map[string][]string)
	for _, name := range primordialNames {
		if parts := strings.Split(name, "$"); parts[1] == "s" {
			all[parts[2]] = append(all[parts[2]], name)
		}
	}
	return all
})

// primordialNames are the functions of the engine that scripts of the library call. A test compares the list with the scripts.
var primordialNames = strings.Fields(`
$iterate $m$add $m$apply $m$bind $m$call $m$catch $m$charCodeAt $m$clear $m$codePointAt $m$concat $m$delete
$m$endsWith $m$every $m$exec $m$filter $m$find $m$findIndex $m$flatMap $m$forEach $m$get $m$getTime $m$has $m$includes
$m$indexOf $m$join $m$keys $m$lastIndexOf $m$map $m$match $m$normalize $m$padEnd $m$padStart $m$pop $m$push $m$reduce
$m$repeat $m$replace $m$reverse $m$search $m$set $m$shift $m$slice $m$some $m$sort $m$splice $m$split $m$startsWith
$m$subarray $m$test $m$then $m$toFixed $m$toLowerCase $m$toString $m$toUpperCase $m$trim $m$unshift $m$valueOf
$m$values $new$Map $new$Set $p$BigInt$valueOf $p$Boolean$valueOf $p$Date$getTime $p$Date$toISOString $p$Error$toString
$p$Function$apply $p$Function$toString $p$Map$entries $p$Map$forEach $p$Map$set $p$Number$valueOf
$p$Object$hasOwnProperty $p$Object$isPrototypeOf $p$Object$propertyIsEnumerable $p$Object$toString $p$Promise$then
$p$RegExp$toString $p$Set$add $p$Set$forEach $p$Set$values $p$String$valueOf $p$Symbol$toString $p$Symbol$valueOf
$p$WeakMap$has $p$WeakSet$has $s$Array$from $s$Array$isArray $s$ArrayBuffer$isView $s$BigInt$asIntN $s$Date$now
$s$JSON$parse $s$JSON$stringify $s$Math$abs $s$Math$ceil $s$Math$floor $s$Math$max $s$Math$min $s$Math$round
$s$Math$sqrt $s$Math$trunc $s$Number$isFinite $s$Number$isInteger $s$Number$isNaN $s$Number$isSafeInteger
$s$Number$parseInt $s$Object$assign $s$Object$create $s$Object$defineProperties $s$Object$defineProperty
$s$Object$entries $s$Object$freeze $s$Object$fromEntries $s$Object$getOwnPropertyDescriptor
$s$Object$getOwnPropertyDescriptors $s$Object$getOwnPropertyNames $s$Object$getOwnPropertySymbols
$s$Object$getPrototypeOf $s$Object$hasOwn $s$Object$is $s$Object$keys $s$Object$setPrototypeOf $s$Object$values
$s$Promise$all $s$Promise$reject $s$Promise$resolve $s$Reflect$apply $s$Reflect$construct
$s$Reflect$getOwnPropertyDescriptor $s$Reflect$ownKeys $s$Symbol$for
`)
